import CPage

/// The files of the folder Page, which the build makes part of the program.
enum PageFiles {
    /// The bytes of each file by its name.
    static let named: [String: [UInt8]] = {
        var count: UInt = 0
        let files = UnsafeBufferPointer(start: page_files(&count), count: Int(count))
        return Dictionary(
            uniqueKeysWithValues: files.map { file in
                (String(cString: file.name), [UInt8](UnsafeBufferPointer(start: file.bytes, count: Int(file.size))))
            })
    }()
}
