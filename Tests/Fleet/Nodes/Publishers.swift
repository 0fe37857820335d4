import Foundation
import Messaging

/// Stops publishers from a thread that may block.
enum Publishers {
    /// Stops all of them at once, because each may take a second to say goodbye.
    static func stop(_ publishers: [Publisher]) {
        let done = DispatchGroup()
        for publisher in publishers {
            done.enter()
            Task {
                await publisher.stop()
                done.leave()
            }
        }
        done.wait()
    }
}
