import Foundation

/// An empty folder for a test's files, deleted with its owner. Keep it in a property of the suite, whose instance
/// exists as long as the test runs.
package final class TemporaryFolder {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "spotter-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            print("\(url.path) could not be removed: \(error)")
        }
    }

    /// The URL of a file in the folder, whether or not it exists.
    package func file(_ name: String) -> URL { url.appending(path: name) }
}
