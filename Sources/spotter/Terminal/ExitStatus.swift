import TOMLSettings
import Broker
import Actions
import Agent
import Capture
import Configuration
import Foundation
import History
import Messaging
import NeuralNet
import Poses
import Training
import Web

/// The exit codes, from sysexits.h where it has one.
enum ExitStatus: Int32 {
    /// Success.
    case done = 0
    /// Any error without a code of its own, or a negative result.
    case failed = 1
    /// Wrong arguments.
    case usage = 2
    /// A file or a stored item does not exist.
    case notFound = 3
    /// A service, program or device is missing.
    case unavailable = 69
    /// Reading or writing failed.
    case inputOutput = 74
    /// The device or database is in use.
    case tryLater = 75
    /// Permission denied.
    case noPermission = 77
    /// The configuration or a model file is wrong.
    case configuration = 78
    /// The reader of the output has gone, as with `head`. Shells report this code for SIGPIPE.
    case brokenPipe = 141

    /// The code for an error.
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
            case is StorageFailure, is ImportError, is AccessError: .inputOutput
            case is SessionCommand.Unknown: .notFound
            case let error as CorrectionError: Self.of(error)
            case let error as BrokerError: Self.of(error)
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

    private static func of(_ error: CorrectionError) -> ExitStatus {
        switch error {
        case .unknownSession, .unknownSet: .notFound
        case .sessionOpen: .failed
        case .invalidLabel, .invalidReps, .repsOfNothing: .usage
        }
    }

    private static func of(_ error: BrokerError) -> ExitStatus {
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
