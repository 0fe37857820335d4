import CommandLineProgram
import ArgumentParser
import Configuration
import Foundation
import HTTPServing
import Web

/// Lets people in to the node's page: passwords, and links that work once.
struct Web: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Lets people in to the node's page: passwords, and links that work once.",
        discussion: """
            The node needs no restart. The roles are wall, the screen on the wall, which
            sees nothing else; viewer, who looks, and sees no names; and operator, who sees
            everything, switches and deletes.

            EXAMPLES
              spotter web password                    a new password for the operator
              spotter web password --role viewer      one for those who only look
              spotter web url                         a link that logs in once
              spotter web url --host gym.local:8080   the same for another machine
              spotter web url --role wall             for the browser of the wall
            """,
        subcommands: [Password.self, Link.self])

    /// The folder of the database, and whom to let in.
    struct Options: ParsableArguments {
        @OptionGroup var configurationFile: ConfigurationFile

        @Option(help: ArgumentHelp("The database file; passwords lie beside it.", valueName: "file"))
        var database: String?

        @Option(help: ArgumentHelp("Who is let in.", valueName: "role"))
        var role = WebRole.operator

        /// The folder that holds the passwords and links.
        func folder(_ configuration: Configuration) -> URL {
            URL(filePath: database ?? configuration.history.path).deletingLastPathComponent()
        }
    }

    struct Password: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a new password and prints it once; every log-in and every link ends.",
            discussion: """
                Only its hash is stored, in web-passwords.json beside the database. The other
                roles' passwords stay.

                EXAMPLES
                  spotter web password
                  sudo spotter web password --role viewer   on a node that runs as a service
                """)
        @OptionGroup var options: Options

        func run() throws {
            let folder = options.folder(try options.configurationFile.read())
            let passwords = PasswordFile(folder: folder)
            let password = try Web.explained { try passwords.generate(options.role) }
            Output.line(password)
            try Web.explained { try OneTimeTokens(folder: folder).removeAll() }
            Terminal.print(
                "This is the \(options.role.rawValue)'s new password, and it is not shown again (\(passwords.path) holds "
                    + "its hash). Every log-in ends now, and every link: all people log in again.")
        }
    }

    struct Link: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "url",
            abstract: "Prints a link to the node's page that logs in once, for ten minutes.",
            discussion: """
                A name of web.hosts belongs to a proxy with TLS, so its link begins with
                https://. With the page's own port, and with every other name, the link begins
                with http://.

                EXAMPLES
                  spotter web url
                  spotter web url --role viewer --host gym.local:8080
                  spotter web url --host gym.example.org  behind a proxy, as in web.hosts
                """)
        @OptionGroup var options: Options

        @Option(
            help: ArgumentHelp(
                "The node's name and port in the link (default: the address it listens on).", valueName: "name:port"))
        var host: String?

        func validate() throws {
            // Anything else would end up in another part of the address.
            if let host, host.wholeMatch(of: /(?:[A-Za-z0-9._\-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?/) == nil {
                throw ValidationError("--host takes a name and a port such as gym.local:8080, not '\(host)'.")
            }
        }

        func run() throws {
            let configuration = try options.configurationFile.read()
            let tokens = OneTimeTokens(folder: options.folder(configuration))
            let token = try Web.explained { try tokens.make(options.role, now: Date()) }
            let scheme = host.map { Self.isProxy($0, configuration.web) } ?? false ? "https" : "http"
            Output.line("\(scheme)://\(host ?? Self.reachable(configuration.web.listen))/enter?token=\(token)")
            Terminal.print(
                "This link logs in as \(options.role.rawValue). It works once, for ten minutes, while the node runs.")
            let isHere =
                configuration.web.listen.hasPrefix("127.") || configuration.web.listen.hasPrefix("[::1]")
                || configuration.web.listen.hasPrefix("localhost")
            if let host, isHere, scheme == "http", HostName(header: host)?.isLoopback != true {
                Terminal.print(
                    "The page listens on \(configuration.web.listen), which no other machine reaches: set web.listen "
                        + "to \"0.0.0.0:8080\", then restart the node.")
            }
            if !configuration.web.enabled {
                Terminal.print("The page is switched off: set web.enabled = true, then restart the node.")
            }
        }

        /// Whether a proxy with TLS answers at a host: its name is one of `web.hosts`, and the port not the page's own.
        private static func isProxy(_ host: String, _ web: Configuration.Web) -> Bool {
            guard let name = HostName(header: host), !name.isLoopback,
                web.hosts.contains(where: { $0.lowercased() == name.text })
            else { return false }
            return web.listen.split(separator: ":").last.map { !host.hasSuffix(":\($0)") } ?? true
        }

        /// The address with the machine's name in place of "every address", which no browser can open.
        private static func reachable(_ listen: String) -> String {
            guard let colon = listen.lastIndex(of: ":"), ["", "0.0.0.0", "[::]"].contains(listen[..<colon]) else {
                return listen
            }
            return ProcessInfo.processInfo.hostName + listen[colon...]
        }
    }

    /// Gives an error the exit code of a file that cannot be used.
    private static func explained<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as AccessError {
            throw FileProblem(path: error.path, reason: error.reason)
        }
    }
}

extension WebRole: ExpressibleByArgument {}
