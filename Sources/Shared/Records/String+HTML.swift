extension String {
    /// The text as it stands in HTML, in attributes as well.
    package var escapedForHTML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
