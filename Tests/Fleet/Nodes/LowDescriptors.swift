import Foundation

/// The descriptors below 1,024, kept free for connections while the histories are opened: libmosquitto waits with
/// select(2), which knows no others.
struct LowDescriptors {
    /// A connection takes three: its socket and a pair to wake it. Readers of a history may open later and take two.
    static let maximumNodes = 200
    private let held: [Int32]

    init() {
        var held: [Int32] = []
        while true {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { break }
            held.append(descriptor)
            if descriptor >= 1023 { break }
        }
        self.held = held
    }

    func release() { for descriptor in held { close(descriptor) } }
}
