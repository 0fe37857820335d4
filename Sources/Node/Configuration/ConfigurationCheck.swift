import Actions
import Foundation
import TOMLSettings

/// Finds everything that is wrong with a configuration: values that cannot be read, and values that cannot work.
public struct ConfigurationCheck: Sendable {
    /// What is wrong, in the order of the files.
    public let errors: [ConfigurationError]

    /// The schemes of addresses that cameras have.
    private static let schemes = [
        "rtsp", "rtsps", "http", "https", "rtmp", "rtmps", "udp", "tcp", "rtp", "srt", "file",
    ]
    private static let usualSchemes = ["rtsp", "http", "https", "rtmp"]
    /// Variables of this program that are no keys, and the beginnings of those of other programs.
    private static let foreign = ["SPOTTER_SINK_", "SPOTTER_SIGNING_"]

    /// Checks the files and the environment.
    ///
    /// - Parameter path: the file; `nil` checks the environment alone.
    public init(path: String?, environment: [String: String]) {
        do {
            let reading = try ConfigurationReading(path: path, environment: environment, findsAll: true)
            let all =
                reading.errors + Self.unknown(environment) + Self.sources(reading) + Self.files(reading, of: path)
                + Self.model(reading) + Self.zone(reading, environment) + Self.areas(reading)
                + Self.overlaps(reading) + Self.restingZones(reading) + Self.pairs(reading)
            errors = Self.inOrder(all)
        } catch {
            errors = [error as? ConfigurationError ?? .unreadable(path: path ?? "", reason: "\(error)")]
        }
    }

    private static func unknown(_ environment: [String: String]) -> [ConfigurationError] {
        let known = Configuration.keys.map(\.variable) + Configuration.cameraKeys.map(\.variable)
        return environment.keys.sorted().filter { name in
            name.hasPrefix("SPOTTER_") && !known.contains(name) && !foreign.contains(where: name.hasPrefix)
        }.map { .unknownVariable(name: $0, nearest: NearestName.of($0, among: known)) }
    }

    /// In the order of the files and their lines. What has no place comes last.
    private static func inOrder(_ errors: [ConfigurationError]) -> [ConfigurationError] {
        let places = errors.map { error -> (path: String, line: Int, column: Int)? in
            guard let match = error.description.prefixMatch(of: #/(.+?):(\d+):(\d+): /#)?.output else { return nil }
            return (String(match.1), Int(match.2) ?? 0, Int(match.3) ?? 0)
        }
        var files: [String] = []
        for path in places.compactMap({ $0?.path }) where !files.contains(path) { files.append(path) }
        func key(_ index: Int) -> (Int, Int, Int, Int) {
            guard let place = places[index] else { return (files.count, 0, 0, index) }
            return (files.firstIndex(of: place.path) ?? 0, place.line, place.column, index)
        }
        return errors.indices.sorted { key($0) < key($1) }.map { errors[$0] }
    }

    /// Zones and masks of cameras that are not configured.
    private static func areas(_ reading: ConfigurationReading) -> [ConfigurationError] {
        let cameras = reading.configuration.cameras.map(\.id)
        guard !cameras.isEmpty else { return [] }
        let kinds = [("zone", reading.configuration.zones), ("mask", reading.configuration.masks)]
        return kinds.flatMap { kind, areas in
            areas.enumerated().filter { !cameras.contains($0.element.camera) }.map { index, area in
                let nearest = NearestName.of(area.camera, among: cameras).map { "; did you mean '\($0)'?" } ?? ""
                return .unusable(
                    place: place("\(kind)[\(index)].camera", reading), key: "camera of [[\(kind)]]",
                    reason: "is '\(area.camera)', and no camera has this id\(nearest)")
            }
        }
    }

    /// Views that overlap with those of cameras that are not configured.
    private static func overlaps(_ reading: ConfigurationReading) -> [ConfigurationError] {
        let cameras = reading.configuration.cameras
        return cameras.enumerated().flatMap { index, camera in
            camera.unknownOverlaps(among: cameras).map { other in
                let others = cameras.map(\.id).filter { $0 != camera.id }
                let nearest = NearestName.of(other, among: others).map { "; did you mean '\($0)'?" } ?? ""
                let reason =
                    other == camera.id
                    ? "names '\(other)' itself; name other cameras"
                    : "names '\(other)', and no other camera has this id\(nearest)"
                return .unusable(
                    place: place("camera[\(index)].overlaps", reading), key: "overlaps of camera '\(camera.id)'",
                    reason: reason)
            }
        }
    }

    /// Resting zones that no camera has.
    private static func restingZones(_ reading: ConfigurationReading) -> [ConfigurationError] {
        let known = reading.configuration.zones.map(\.name)
        return reading.configuration.alarm.restingZones.filter { !known.contains($0) }.map { name in
            let nearest = NearestName.of(name, among: known).map { "; did you mean '\($0)'?" } ?? ""
            return .unusable(
                place: place("alarm.resting_zones", reading), key: "alarm.resting_zones",
                reason: "names '\(name)', and no camera has such a zone\(nearest)")
        }
    }

    private static func zone(_ reading: ConfigurationReading, _ environment: [String: String]) -> [ConfigurationError] {
        do {
            _ = try reading.configuration.timeZone(environment: environment)
            return []
        } catch { return (error as? ConfigurationError).map { [$0] } ?? [] }
    }

    /// Where a value was set; the key for a default.
    private static func place(_ key: String, _ reading: ConfigurationReading) -> String {
        switch reading.origins[key] {
        case .file(let place): place.description
        case .variable(let name): "environment variable \(name)"
        case nil: "default"
        }
    }

    private static func sources(_ reading: ConfigurationReading) -> [ConfigurationError] {
        let cameras = reading.configuration.cameras
        return cameras.enumerated().compactMap { index, camera in
            let key = "camera[\(index)].source"
            func refuse(_ reason: String) -> ConfigurationError {
                .unusable(place: place(key, reading), key: "source of camera '\(camera.id)'", reason: reason)
            }
            guard camera.enabled else { return nil }
            if camera.source.isEmpty { return refuse("is empty; give a device, an address or a file") }
            if let twin = cameras[..<index].first(where: { $0.enabled && $0.source == camera.source }) {
                return refuse("is that of camera '\(twin.id)' too; one device can be read only once")
            }
            if let end = camera.source.firstRange(of: "://") {
                let scheme = camera.source[..<end.lowerBound].lowercased()
                guard !schemes.contains(scheme) else { return nil }
                let nearest = NearestName.of(scheme, among: usualSchemes).map { "; did you mean \($0)://?" } ?? ""
                return refuse("begins with '\(scheme)://', which is no known scheme\(nearest)")
            }
            // A camera may be plugged in later; a file is there or not.
            let isMissing = !camera.source.hasPrefix("/dev/") && !FileManager.default.fileExists(atPath: camera.source)
            guard isMissing else { return nil }
            // It may hold a password, so it is not repeated.
            if isAddress(camera.source) { return refuse("has no scheme: write rtsp:// or http:// before the address") }
            return refuse("names no file: \(camera.source); correct the path")
        }
    }

    /// Whether a source is an address without its scheme: `192.168.1.20:554/stream`, `user:word@camera/live`.
    private static func isAddress(_ source: String) -> Bool {
        source.contains("@") || source.wholeMatch(of: /[A-Za-z0-9.-]+:\d+(\/.*)?/) != nil
            || source.wholeMatch(of: /\d+(\.\d+){3}(\/.*)?/) != nil
    }

    /// A model that cannot be used, or exercises that it does not know. A file that is not there is found by ``files(_:of:)``.
    private static func model(_ reading: ConfigurationReading) -> [ConfigurationError] {
        let recognition = reading.configuration.recognition
        let isChosen = reading.origins["recognition.model"] != nil
        guard isChosen || !recognition.exercises.isEmpty, FileManager.default.fileExists(atPath: recognition.model)
        else { return [] }
        func refuse(_ key: String, _ reason: String) -> [ConfigurationError] {
            [.unusable(place: place(key, reading), key: key, reason: reason)]
        }
        do {
            let file = try ModelFile(contentsOf: URL(filePath: recognition.model))
            guard !recognition.exercises.isEmpty else { return [] }
            _ = try ActionClassifier(file, exercises: recognition.exercises)
            return []
        } catch {
            guard let error = error as? ModelFileError, let fault = error.faultOfExercises else {
                return refuse("recognition.model", "cannot be used: \(error)")
            }
            guard case .unknownExercise(_, let label, let known) = error,
                let nearest = NearestName.of(label, among: known)
            else { return refuse("recognition.exercises", fault) }
            return refuse("recognition.exercises", fault + "; did you mean '\(nearest)'?")
        }
    }

    private static func files(_ reading: ConfigurationReading, of path: String?) -> [ConfigurationError] {
        let configuration = reading.configuration
        let wanted = [
            ("recognition.pose_models", configuration.recognition.poseModels),
            ("recognition.references", configuration.recognition.references),
            ("workouts.plans", configuration.workouts.plans), ("learning.shared", configuration.learning.shared),
        ]
        let secrets =
            configuration.shares.enumerated().map { ("share[\($0.offset)].secret_file", $0.element.secretFile) }
            + configuration.alerts.enumerated().map { ("alert[\($0.offset)].secret_file", $0.element.secretFile) }
        let files = [
            ("history.path", configuration.history.path), ("recognition.model", configuration.recognition.model),
            ("mqtt.ca_file", configuration.mqtt.caFile), ("mqtt.password_file", configuration.mqtt.passwordFile),
            ("mqtt.certificate_file", configuration.mqtt.certificateFile),
            ("mqtt.key_file", configuration.mqtt.keyFile),
        ]
        // What is a default lies beside the program, and `spotter doctor` looks there.
        func given(_ named: [(String, String)]) -> [(key: String, path: String)] {
            named.filter { reading.origins[$0.0] != nil && !$0.1.isEmpty }
        }
        // The history is made where it is not there.
        let missing = given(wanted + secrets + Array(files.dropFirst()))
            .filter { access($0.path, F_OK) != 0 && errno == ENOENT }
            .map { ($0.key, "names no file or folder: \($0.path); correct the path") }
        let folders = given(files + secrets).filter { Self.isFolder($0.path) }
            .map { ($0.key, "names a folder: \($0.path); name a file") }
        return (missing + folders).map { .unusable(place: place($0, reading), key: $0, reason: $1) }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = ObjCBool(false)
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    /// Settings that cannot stand beside each other.
    private static func pairs(_ reading: ConfigurationReading) -> [ConfigurationError] {
        let configuration = reading.configuration
        var errors: [ConfigurationError] = []
        let port = configuration.web.listen.split(separator: ":").last.flatMap { Int($0) }
        if configuration.web.enabled, configuration.metrics.enabled, port == configuration.metrics.port {
            errors.append(
                .unusable(
                    place: place("metrics.port", reading), key: "metrics.port",
                    reason: "is the port of web.listen, too; choose another one"))
        }
        let mqtt = configuration.mqtt
        if mqtt.enabled, !mqtt.passwordFile.isEmpty, mqtt.user.isEmpty {
            errors.append(
                .unusable(
                    place: place("mqtt.password_file", reading), key: "mqtt.password_file",
                    reason: "is set without mqtt.user, so nobody logs in; set mqtt.user"))
        }
        return errors
    }
}
