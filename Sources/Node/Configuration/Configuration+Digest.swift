import Records

extension Configuration {
    /// The first six hexadecimal digits of a SHA-256 over every key and value; published so that a changed
    /// configuration shows.
    package var digest: String {
        let keys = Self.keys.map { "\($0.name)=\($0.text(self))" }
        let cameras = cameras.flatMap { camera in Self.cameraKeys.map { "\($0.name)=\($0.text(camera))" } }
        let areas =
            zones.flatMap { zone in Self.zoneKeys.map { "\($0.name)=\($0.text(zone))" } }
            + masks.flatMap { mask in Self.maskKeys.map { "\($0.name)=\($0.text(mask))" } }
        let recipients =
            shares.flatMap { share in Self.shareKeys.map { "\($0.name)=\($0.text(share))" } }
            + alerts.flatMap { alert in Self.alertKeys.map { "\($0.name)=\($0.text(alert))" } }
        let text = (keys + cameras + areas + recipients).joined(separator: "\n")
        return String(SHA256.hex(of: Array(text.utf8)).prefix(6))
    }
}
