extension HTTPRequest {
    /// Whether a browser sends this for the page of another site, without anybody having followed a link to it.
    ///
    /// Browsers say so in `Sec-Fetch-Site`, which no page can change, on the connections that they regard as safe: to
    /// their own machine and over TLS. Programs send nothing of the kind. `same-site` is another port or another name of a
    /// neighbour, and so another page, too.
    package var isOfForeignPage: Bool {
        guard let site = headers["Sec-Fetch-Site"]?.lowercased() else { return false }
        return site != "same-origin" && site != "none"
    }

    /// Whether a person followed a link to here: the browser shows the answer as a page of its own.
    package var isNavigation: Bool {
        headers["Sec-Fetch-Mode"] == "navigate" && headers["Sec-Fetch-Dest"] == "document"
            && method == .GET
    }
}

extension WebFailure {
    /// Another site's page must cause no work here.
    package static let foreignPage = WebFailure(
        .forbidden, "foreign_page", "This was asked for by the page of another site: open this page itself instead.")
}
