import CV4L2
import Foundation

extension CameraControls {
    /// Sets the controls, as far as the camera has them. The camera turns its pictures itself if it can.
    ///
    /// - Returns: `rest`, the orientation that is left to software, and one note for each requested control.
    func apply(to port: V4L2Port) -> (rest: Orientation, notes: [String]) {
        var notes: [String] = []
        func adjust(
            _ name: String, _ wanted: Adjustment, unit: String, scale: Double, of value: UInt32, by automatic: UInt32,
            on: [Int32], off: Int32
        ) {
            switch wanted {
            case .keep: return
            case .automatic:
                let isSet = on.contains { port.set(automatic, $0) == $0 }
                notes.append(isSet ? "\(name) automatic" : "has no automatic \(name)")
            case .value(let number):
                // A camera without the automatic mode refuses this; its value is always manual.
                _ = port.set(automatic, off)
                guard let set = port.set(value, Int32(clamping: Int((number * scale).rounded()))) else {
                    return notes.append("has no \(name) to set")
                }
                let actual = Double(set) / scale
                let isExact = abs(actual - number) * scale < 1
                notes.append("\(name) \(actual.short)\(unit)" + (isExact ? "" : ", its nearest"))
            }
        }
        // V4L2_CID_EXPOSURE_AUTO: 1 is manual, 3 is automatic with a fixed iris (most cameras), 0 is fully automatic.
        adjust(
            "exposure", exposure, unit: " ms", scale: 10, of: cv4l2_cid_exposure_absolute,
            by: cv4l2_cid_exposure_auto, on: [3, 0], off: 1)
        adjust("gain", gain, unit: "", scale: 1, of: cv4l2_cid_gain, by: cv4l2_cid_autogain, on: [1], off: 0)
        adjust(
            "white balance", whiteBalance, unit: " K", scale: 1, of: cv4l2_cid_white_balance_temperature,
            by: cv4l2_cid_auto_white_balance, on: [1], off: 0)
        if let number = powerLine.number {
            let isSet = port.set(cv4l2_cid_power_line_frequency, number) == number
            notes.append(
                isSet ? "power line \(powerLine.rawValue)" : "has no power line frequency \(powerLine.rawValue)")
        }
        if isStabilised {
            notes.append(port.set(cv4l2_cid_image_stabilization, 1) == 1 ? "stabilised" : "has no stabilisation")
        }
        if !named.isEmpty { notes += port.set(named) }
        return (turn(port, &notes), notes)
    }

    /// Lets the camera turn its pictures. Returns the orientation that is left to software.
    private func turn(_ port: V4L2Port, _ notes: inout [String]) -> Orientation {
        var rest = orientation
        // Half a turn is both flips. A camera remembers its flips, so flips that are not wanted are reset.
        let half = orientation.quarterTurns == 2
        let flips = (across: half != orientation.isMirrored, down: half)
        if orientation.quarterTurns % 2 == 0, port.value(of: cv4l2_cid_hflip) != nil,
            !flips.down || port.value(of: cv4l2_cid_vflip) != nil
        {
            let across = port.set(cv4l2_cid_hflip, flips.across ? 1 : 0) == (flips.across ? 1 : 0)
            let down = port.set(cv4l2_cid_vflip, flips.down ? 1 : 0) == (flips.down ? 1 : 0)
            if across && (down || !flips.down) { rest = .upright }
        } else if port.value(of: cv4l2_cid_hflip) != nil {
            _ = port.set(cv4l2_cid_hflip, 0)
            _ = port.set(cv4l2_cid_vflip, 0)
        }
        let degrees = Int32(rest.quarterTurns * 90)
        if degrees != 0, port.set(cv4l2_cid_rotate, degrees) == degrees { rest.quarterTurns = 0 }
        if orientation != .upright {
            notes.append(rest == .upright ? "turns its pictures itself" : "pictures are turned by software")
        }
        return rest
    }
}

extension CameraControls.PowerLine {
    fileprivate var number: Int32? {
        switch self {
        case .keep: nil
        case .off: 0
        case .hertz50: 1
        case .hertz60: 2
        case .automatic: 3
        }
    }
}

extension V4L2Port {
    /// The current value of a control; `nil` when the camera does not have it.
    func value(of control: UInt32) -> Int32? {
        var setting = v4l2_control(id: control, value: 0)
        return self.control(cv4l2_g_ctrl, &setting) == 0 ? setting.value : nil
    }

    /// Sets controls by name.
    ///
    /// - Returns: one note for each control, in the order of the names.
    fileprivate func set(_ wanted: [String: Int]) -> [String] {
        let known = controlNames()
        var actual: [String: Int32] = [:]
        // A control may be inactive until another one has switched its automatic mode off, so those are tried again.
        for _ in 0..<2 {
            for (name, value) in wanted where actual[name] == nil {
                actual[name] = known[name].flatMap { set($0, Int32(clamping: value)) }
            }
        }
        return wanted.sorted { $0.key < $1.key }.map { name, value in
            if let number = actual[name] { return "\(name) \(number)" + (number == value ? "" : ", its nearest") }
            if known[name] != nil { return "cannot set the control \(name)" }
            return "has no control \(name); it has \(known.keys.sorted().joined(separator: ", "))"
        }
    }

    /// The ids of all controls, by the name that `v4l2-ctl` shows: lower case, with `_` for everything else.
    private func controlNames() -> [String: UInt32] {
        var names: [String: UInt32] = [:]
        var query = v4l2_queryctrl()
        // No camera has so many; a broken driver may repeat itself for ever.
        for _ in 0..<1024 {
            query.id |= UInt32(V4L2_CTRL_FLAG_NEXT_CTRL)
            guard self.control(cv4l2_queryctrl, &query) == 0 else { break }
            guard query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED) == 0, query.type != V4L2_CTRL_TYPE_CTRL_CLASS.rawValue
            else { continue }
            let text = withUnsafeBytes(of: query.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            let words = text.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            names[words.joined(separator: "_")] = query.id
        }
        return names
    }

    /// Sets a control to the nearest value in its range. Returns the value it then has; `nil` when it cannot be set.
    func set(_ control: UInt32, _ value: Int32) -> Int32? {
        var query = v4l2_queryctrl()
        query.id = control
        guard self.control(cv4l2_queryctrl, &query) == 0,
            query.flags & UInt32(V4L2_CTRL_FLAG_DISABLED | V4L2_CTRL_FLAG_READ_ONLY) == 0
        else { return nil }
        var setting = v4l2_control(id: control, value: min(max(value, query.minimum), query.maximum))
        guard self.control(cv4l2_s_ctrl, &setting) == 0 else { return nil }
        return self.value(of: control)
    }
}

extension Double {
    fileprivate var short: String { formatted(.number.grouping(.never).precision(.fractionLength(0...1))) }
}
