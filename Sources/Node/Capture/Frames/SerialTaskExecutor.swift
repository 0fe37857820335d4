import Dispatch

/// A serial executor for one job that blocks: a camera's recognition chain, the commits, the storage or the health service.
/// What waits or computes on it does not block the threads that all other tasks share.
public final class SerialTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    /// Creates an executor on a new dispatch queue with the given label.
    public init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    /// Runs the job after all jobs that were enqueued before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
