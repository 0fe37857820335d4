import Foundation

/// Finds the files that come with the program, wherever it is started: in the current folder, in a folder above the program
/// (a checkout), or where the package puts them.
enum ShippedFiles {
    /// The folder with the shipped model and the pose networks.
    static let models = find("Models", holding: "exercises.safetensors", installed: "/usr/share/spotter")
    /// The folder with the shipped plans.
    static let plans = find("deploy/plans", holding: "", installed: "/etc/spotter/plans")

    /// How many folders above the program are looked at: `.build/x86_64-unknown-linux-gnu/release` has three.
    private static let levels = 4

    /// A folder of the checkout, or the installed one.
    ///
    /// - Parameters:
    ///   - name: its name in a checkout. This is also the answer where it is found nowhere.
    ///   - holding: a file in it; empty for any.
    ///   - installed: its place in the package.
    static func find(
        _ name: String, holding file: String, installed: String, program: URL = URL(filePath: "/proc/self/exe")
    ) -> String {
        func isThere(_ folder: String) -> Bool { access(file.isEmpty ? folder : folder + "/" + file, F_OK) == 0 }
        if isThere(name) { return name }
        var folder = program.resolvingSymlinksInPath().deletingLastPathComponent()
        for _ in 0..<levels {
            let place = folder.appending(path: name).path
            if isThere(place) { return place }
            folder.deleteLastPathComponent()
        }
        return isThere(installed) ? installed : name
    }
}
