import CommandLineProgram
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
import Workouts

extension ExitStatus {
    /// The code for an error.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as CaptureError: Self.of(error)
            case let error as PoseStreamError: Self.of(error)
            case let error as IdentityStreamError: Self.of(error)
            case SafeTensorsError.unwritable, is CocoaError: .inputOutput
            case let error as HistoryError: ExitStatus(rawValue: error.exitCode) ?? .failed
            case is ConfigurationError, is PlanError, is FormRulesError, is ModelError, is ModelFileError,
                is SafeTensorsError, is FormReferenceError, is OverrideFile.Failure, is AddressSpace.TooSmall:
                .configuration
            case let error as FileProblem: error.isMissing ? .notFound : .inputOutput
            case is StorageFailure, is ImportError, is AccessError: .inputOutput
            case is KnownName.Unknown, is MissingSession, is SessionCommand.Correct.UnknownLabel,
                is WorkoutCommand.Unknown, is PlanLibrary.Unknown, is Trial.Nobody:
                .notFound
            case let error as NodeRefusal: error.code.hasPrefix("unknown") ? .notFound : .failed
            case let error as PersonCommand.Incomplete: error.isTemporary ? .tryLater : .failed
            case is PeopleLabelsError: .usage
            case is AmbiguousId, is Questions.NoAnswer, is NotConfirmed: .usage
            case let error as RunningNode.Failure: Self.of(error)
            case let error as CorrectionError: Self.of(error)
            case let error as AnswerError: Self.of(error)
            case let error as BrokerError: Self.of(error)
            case is MQTTProbe.Refusal, is MQTT.BrokerTimeout: .unavailable
            default: .failed
            }
    }

    private static func of(_ error: AnswerError) -> ExitStatus {
        switch error {
        case .unknownQuestion, .unknownLabel: .notFound
        case .invalidReps, .noReps: .usage
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
        case .decodingFailed(let source, let reason):
            source.contains("://") && !StreamAdvice.isAnswer(reason) ? .unavailable : .inputOutput
        case .encodingFailed: .inputOutput
        }
    }

    private static func of(_ error: RunningNode.Failure) -> ExitStatus {
        if case .notAllowed = error { .noPermission } else { .unavailable }
    }

    private static func of(_ error: CorrectionError) -> ExitStatus {
        switch error {
        case .unknownSession, .unknownSet, .unknownLabel: .notFound
        case .sessionOpen: .failed
        case .invalidLabel, .invalidReps, .invalidLoad, .invalidRPE, .workOfNothing: .usage
        }
    }

    private static func of(_ error: BrokerError) -> ExitStatus {
        switch error {
        case .library: .unavailable
        case .invalidId, .invalidPrefix, .invalidPort, .unreadableFile, .incompleteClientCertificate,
            .unusableTLS:
            .configuration
        }
    }

    private static func of(_ error: IdentityStreamError) -> ExitStatus {
        switch error {
        case .unreadable(_, let reason): reason.contains("No such file") ? .notFound : .inputOutput
        case .notATruth, .badPeople, .empty, .differentShapes: .inputOutput
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
