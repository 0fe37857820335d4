import Actions
import Agent
import Capture
import Foundation
import History
import Messaging
import NeuralNet
import Poses
import Training

/// What kind of end a command came to; the numbers are those of sysexits.h where it has one.
enum ExitStatus: Int32 {
    case done = 0
    case failed = 1
    case usage = 2
    case notFound = 3
    case unavailable = 69
    case inputOutput = 74
    case tryLater = 75
    case noPermission = 77
    case configuration = 78
    /// Whoever read the output has gone, as `head` does; what a shell says of SIGPIPE.
    case brokenPipe = 141

    init(_ error: any Error) {
        self =
            switch error {
            case let error as CaptureError: Self.of(error)
            case let error as PoseStreamError: Self.of(error)
            case let error as HistoryError: ExitStatus(rawValue: error.exitCode) ?? .failed
            case is ConfigurationError, is ModelError, is ModelFileError, is SafeTensorsError,
                is FormReferenceError, is AddressSpace.TooSmall:
                .configuration
            case let error as FileProblem: error.isMissing ? .notFound : .inputOutput
            case is StorageFailure, is ImportError: .inputOutput
            case is SessionCommand.Unknown: .notFound
            case let error as MessagingError: Self.of(error)
            case is MQTTProbe.Refusal, is MQTT.BrokerTimeout: .unavailable
            default: .failed
            }
    }

    private static func of(_ error: CaptureError) -> ExitStatus {
        switch error {
        case .fileNotFound: .notFound
        case .decoderMissing, .cameraNotFound, .notACamera, .cameraFormat, .cameraUnplugged, .cameraLost,
            .cameraStalled:
            .unavailable
        case .cameraBusy: .tryLater
        case .permissionDenied: .noPermission
        case .decodingFailed, .encodingFailed: .inputOutput
        }
    }

    private static func of(_ error: MessagingError) -> ExitStatus {
        switch error {
        case .library: .unavailable
        case .invalidId, .invalidPrefix, .invalidPort, .unreadableFile, .incompleteClientCertificate: .configuration
        }
    }

    private static func of(_ error: PoseStreamError) -> ExitStatus {
        switch error {
        case .unreadable(_, let reason): reason.contains("No such file") ? .notFound : .inputOutput
        case .notAPoseStream, .damagedLine, .unwritable: .inputOutput
        case .readerGone: .brokenPipe
        }
    }
}
