/// What is wrong with the messaging settings, or with one attempt to connect. Every description ends with what to do.
public enum BrokerError: Error, Equatable, Sendable {
    /// A site, node, camera or consumer id that is not usable in a topic.
    case invalidId(kind: String, value: String)
    /// A prefix with wildcards, empty levels or control characters.
    case invalidPrefix(String)
    /// A port outside 1 to 65535.
    case invalidPort(Int)
    /// A file named in the settings cannot be read; `purpose` is `password`, `CA certificates`, ….
    case unreadableFile(purpose: String, path: String, reason: String)
    /// A certificate without its key, or a key without its certificate.
    case incompleteClientCertificate
    /// Files for TLS that do not work together, or hold something else.
    case unusableTLS(reason: String)
    /// libmosquitto reported an error; `action` says what was tried.
    case library(action: String, reason: String)
}

extension BrokerError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidId(let kind, let value):
            "\(kind) \"\(value)\" is not usable in an MQTT topic: use 1 to 63 of a-z, 0-9, - and _, "
                + "beginning with a letter or digit, such as \"\(Topics.suggestion(for: value))\""
        case .invalidPrefix(let value):
            "the topic prefix \"\(value)\" is unusable: use words of a-z, 0-9, - and _ joined by /, such as \"spotter\""
        case .invalidPort(let port):
            "port \(port) does not exist: use 1 to 65535; brokers listen on 1883, or on 8883 with TLS"
        case .unreadableFile(let purpose, let path, let reason):
            "the file with the \(purpose), \(path), cannot be read (\(reason)): correct the path or its permissions"
        case .incompleteClientCertificate:
            "a client certificate needs both files, certificate and key: name both in [mqtt], or none"
        case .unusableTLS(let reason):
            "the files for TLS cannot be used (\(reason)): name CA certificates in mqtt.ca_file, and a certificate with its own "
                + "key in mqtt.certificate_file and mqtt.key_file"
        case .library(let action, let reason):
            "\(action) failed (\(reason)): see that the broker runs and that [mqtt] names it"
        }
    }
}
