import Dispatch

/// A thread's worth of executor for one chain, so that waiting for frames and computing poses never blocks the
/// threads that all other tasks share.
public final class InferenceExecutor: TaskExecutor {
    private let queue: DispatchQueue

    public init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
