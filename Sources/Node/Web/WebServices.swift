import Actions
import Agent
import Foundation
import HTTPServing
import Logging
import ServiceLifecycle

/// The HTTP services of a node: its page, and its metrics.
public enum WebServices {
    /// The services that the configuration switches on.
    ///
    /// - Parameter configurationPath: the configuration file, for the page's check of the node; `nil` for none.
    /// - Throws: the error of a damaged password file.
    public static func all(
        node: Node, reports: CameraStatusBoard, configurationPath: String?
    ) throws -> [Agent.NamedService] {
        var services: [Agent.NamedService] = []
        let pool = WorkPool()
        if node.configuration.metrics.enabled {
            services.append(("metrics", MetricsService(node: node, reports: reports, pool: pool)))
        }
        var page: WebService?
        if node.configuration.web.enabled {
            let service = try WebService(node: node, reports: reports, configurationPath: configurationPath, pool: pool)
            services.append(("web", service))
            page = service
        }
        services.append(("socket", local(node, reports, page, configurationPath, pool)))
        return services
    }

    /// The server for programs of this machine: with the page's routes where there is a page.
    private static func local(
        _ node: Node, _ reports: CameraStatusBoard, _ page: WebService?, _ configurationPath: String?, _ pool: WorkPool
    ) -> LocalService {
        let status =
            page?.status
            ?? NodeStatus(
                node: node, reports: reports, feed: LiveFeed(labels: node.classifier.description.labels),
                pictures: AimPictures(logger: node.logger, pool: pool), pool: pool)
        // Without a page nobody watches, so what needs to watch is left out.
        let routes =
            page?.router.routes
            ?? HistoryRoutes(status: status).all + CorrectionRoutes(status: status).all
            + WorkoutRoutes(status: status).all + RecordRoutes(status: status).all
            + NodeRoutes(status: status, configurationPath: configurationPath).all
        let router = Router(
            routes: routes + CommandRoutes(status: status).all, access: nil, logger: node.logger)
        return LocalService(node: node, router: router)
    }

    /// Every address of the page's server: method, path, and the role it needs, `open` for none.
    ///
    /// - Throws: the error of a damaged password file.
    package static func addresses(
        node: Node, reports: CameraStatusBoard
    ) throws -> [(method: String, path: String, role: String)] {
        try WebService(node: node, reports: reports, configurationPath: nil).router.routes.map { route in
            let role =
                switch route.access {
                case .role(let role): role.rawValue
                case .member: "member"
                case .open: "open"
                }
            return (route.method.rawValue, route.path, role)
        }
    }

    /// The names of the page's files.
    package static var pageFiles: [String] { PageFiles.named.keys.sorted() }
}

/// Serves the node's page.
///
/// An address that is not available is logged; the node runs without the page.
package struct WebService: Service {
    /// The most connections at a time.
    package static let maximumConnections = 32

    private let node: Node
    private let address: ListenAddress
    /// Answers the requests.
    package let router: Router
    /// The pictures for the operator who aims a camera.
    package let pictures: AimPictures
    private let broadcast: LiveBroadcast
    /// What the cameras see, on its way to the viewers.
    package let feed: LiveFeed
    /// How often the passwords had changed when the page was made.
    private let passwordChanges: Int
    private let access: AccessControl
    private let training: TrainingRun
    let status: NodeStatus

    /// Makes the first password when the page is reachable from other machines.
    ///
    /// - Parameters:
    ///   - pool: where everything is done that blocks.
    ///   - pictures: the pictures for aiming; `nil` for the usual ones.
    ///   - training: the training of models; `nil` for one of this program.
    package init(
        node: Node, reports: CameraStatusBoard, configurationPath: String?, pool: WorkPool = WorkPool(),
        pictures: AimPictures? = nil, training: TrainingRun? = nil
    ) throws {
        self.node = node
        let settings = node.configuration.web
        guard let address = ListenAddress(settings.listen) else {
            throw HTTPListener.Failure("web.listen is not an address: \(settings.listen)")
        }
        self.address = address
        let folder = URL(filePath: node.store.path).deletingLastPathComponent()
        let passwords = PasswordFile(folder: folder)
        if !address.isLoopback, try !passwords.hasPassword {
            let password = try passwords.generate(.operator)
            // Not through the logger, whose last lines the page shows.
            let text = "The page's password is \(password). It is shown only once; 'spotter web password' renews it.\n"
            FileHandle.standardError.write(Data(text.utf8))
        }
        let access = AccessControl(
            address: address, hosts: settings.hosts, passwords: passwords, tokens: OneTimeTokens(folder: folder),
            database: node.store.path, pool: pool, logger: node.logger)
        self.access = access
        // What is changed from now on ends streams, however late the first look comes.
        passwordChanges = passwords.look()
        let feed = LiveFeed(labels: node.classifier.description.labels)
        self.feed = feed
        let pictures = pictures ?? AimPictures(logger: node.logger, pool: pool)
        self.pictures = pictures
        let status = NodeStatus(node: node, reports: reports, feed: feed, pictures: pictures, pool: pool)
        self.status = status
        let aim = AimWatch(
            AimAdviser(
                exercises: node.classifier.description.countedLabels, references: Set(node.references.keys),
                rules: node.rules))
        node.observers.add(feed)
        let trainingRoutes = TrainingRoutes(status: status, training: training)
        node.observers.add(trainingRoutes.recorder)
        self.training = trainingRoutes.training
        node.observers.add(aim)
        if settings.allowsPictures { node.observers.add(pictures) }
        broadcast = LiveBroadcast(feed: feed, status: status)
        let routes: [[Route]] = [
            PageRoutes(
                pool: pool, words: PageWords(node.configuration), isMadeUp: node.store.isMadeUp
            ).all,
            LiveRoutes(status: status, access: access, aim: aim).all,
            AreaRoutes(status: status, configurationPath: configurationPath, training: trainingRoutes.training).all,
            CameraSettingsRoutes(
                status: status, configurationPath: configurationPath, training: trainingRoutes.training
            ).all,
            PictureRoutes(status: status, access: access).all,
            HistoryRoutes(status: status).all,
            CorrectionRoutes(status: status).all,
            QuestionRoutes(status: status).all,
            WorkoutRoutes(status: status).all,
            RecordRoutes(status: status).all,
            FileRoutes(status: status, access: access).all,
            MemberRoutes(status: status, access: access).all,
            NodeRoutes(status: status, configurationPath: configurationPath).all,
            trainingRoutes.all,
            KeptPoseRoutes(status: status, library: trainingRoutes.library).all,
        ]
        router = Router(
            routes: try APIDescription.described(Array(routes.joined())), access: access, logger: node.logger)
    }

    /// Serves until the node stops.
    package func run() async throws {
        defer { training.shutDown() }
        let listener = HTTPListener(
            address: address, limit: Self.maximumConnections, answer: router.answer)
        do {
            try await cancelWhenGracefulShutdown {
                async let broadcasting: Void = broadcast.run()
                async let expelling: Void = expel()
                try await listener.run { [node, address] port in
                    let host = address.isIPv6 ? "[\(address.host)]" : address.host
                    node.logger.notice("the page is at http://\(host):\(port)/")
                } interrupted: { reason in
                    node.logger.warning("the page takes no new connections for a moment (\(reason))")
                }
                await broadcasting
                await expelling
            }
        } catch let failure as HTTPListener.Failure {
            node.logger.error(
                "no page at \(node.configuration.web.listen) (\(failure.reason)): choose another web.listen")
            try await gracefulShutdown()
        } catch is CancellationError {
            // The node stops.
        }
    }
    /// Ends what people began with log-ins that have ended: a new password may come from another process.
    private func expel() async {
        var changes = passwordChanges
        while !Task.isCancelled {
            // A node that is too busy to look does so a second later.
            if let now = try? await access.look(), now != changes {
                feed.closeAll()
                pictures.stopAll()
                changes = now
            }
            do { try await Task.sleep(for: .seconds(1)) } catch { return }
        }
    }
}
