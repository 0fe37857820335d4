import HTTPServing
import Records

/// What the description of the API says of one address: all but the role, which is the route's.
package struct APIDescription: Sendable {
    /// A value of the address's query.
    struct Parameter: Sendable {
        let name: String
        let description: String
        let schema: Schema

        init(_ name: String, _ description: String, _ schema: Schema) {
            (self.name, self.description, self.schema) = (name, description, schema)
        }
    }

    /// What the address answers with when all is well.
    enum Answer: Sendable {
        case json(Schema)
        /// A list that may end at a limit. The header `X-Total-Count` says how many rows there are.
        case rows(Schema)
        case jpeg
        /// A file to be saved.
        case file
        /// Server-sent events for as long as the client stays.
        case events
    }

    let method: HTTPMethod
    let path: String
    let summary: String
    let query: [Parameter]
    let body: Schema?
    let answer: Answer

    init(
        _ method: HTTPMethod, _ path: String, _ summary: String, query: [Parameter] = [], body: Schema? = nil,
        answer: Answer
    ) {
        (self.method, self.path, self.summary) = (method, path, summary)
        (self.query, self.body, self.answer) = (query, body, answer)
    }

    /// All of them.
    static let all =
        addressesOfNode + addressesOfHistory + addressesOfWorkouts + addressesOfMembers + addressesOfTraining
        + addressesOfLearning

    /// The query of most questions about the history.
    static let span = [
        Parameter(
            "since",
            "From a day such as 2026-11-21, a time such as 14:30, or a time ago such as 30m or 7d; to the second.",
            .words),
        Parameter("last", "The same as since: 12h, 7d, 4w, 1y.", .words),
        Parameter("until", "Up to and including a day, up to a time, or up to a time ago.", .words),
        onlyCamera, Parameter("action", "Only this label.", .words),
        format,
        Parameter("limit", "At most so many rows, the newest.", .integer(minimum: 1, maximum: 5000)),
        Parameter(
            "tz",
            "The time zone in which days are read and times are written. By default days are the node's, and times are in "
                + "UTC.", .words),
    ]
    static let format = Parameter(
        "format", "csv for a file of comma-separated values, with all rows; else json.", .words)
    static let zone = Parameter("zone", "Only this zone.", .words)
    static let onlyCamera = Parameter("camera", "Only this camera.", .words)
    /// Nothing but braces.
    static let empty = Schema.object([])

    /// Adds the address at which the description is to routes.
    static func described(_ routes: [Route]) throws -> [Route] {
        func own(_ text: String) -> Route {
            Route(.GET, "/api/v1/openapi.json", .open) { _ in WebResponse.json(text) }
        }
        return routes + [own(try JSONText.encode(document(routes + [own("")])))]
    }

    /// The first part of an answer that its description does not have exactly; `nil` for none.
    ///
    /// - Parameter path: the path of the address, with its parts in braces.
    package static func fault(of answer: JSONValue, _ method: HTTPMethod, _ path: String) throws -> SchemaFault? {
        guard let found = all.first(where: { $0.method == method && $0.path == path }) else {
            return SchemaFault(path: path, reason: "is not described")
        }
        return switch found.answer {
        case .json(let schema): try schema.strictFault(of: answer)
        case .rows(let schema): try Schema.list(schema).strictFault(of: answer)
        case .jpeg, .file, .events: nil
        }
    }

    /// The description of an API in the format OpenAPI 3.1.
    static func document(_ routes: [Route]) -> JSONValue {
        let components = Schema.Components()
        var paths: [String: [String: JSONValue]] = [:]
        for route in routes {
            guard let found = all.first(where: { $0.method == route.method && $0.path == route.path }) else { continue }
            paths[route.path, default: [:]][route.method.rawValue.lowercased()] = found.operation(route, components)
        }
        let error = Schema.named(
            "Error",
            .object([("error", .required(.object([("code", .required(.words)), ("message", .required(.words))])))])
        ).json(components)
        let info: JSONValue = [
            "title": "Spotter's page", "version": "1",
            "description": """
            Everything that the node's page shows. Histories are the same JSON as the command line's --json. Times \
            in /state and /live are milliseconds since 1970; elsewhere RFC 3339 in UTC.
            """,
        ]
        let refusal: JSONValue = [
            "description": "Refused or failed", "content": .object(["application/json": ["schema": error]]),
        ]
        let cookie: JSONValue = ["type": "apiKey", "in": "cookie", "name": .text(SessionCookie.name)]
        let memberCookie: JSONValue = ["type": "apiKey", "in": "cookie", "name": .text(MemberCookie.name)]
        let shared: [String: JSONValue] = [
            "schemas": .object(components.schemas), "responses": .object(["Error": refusal]),
            "securitySchemes": .object(["session": cookie, "member": memberCookie]),
        ]
        return .object([
            "openapi": "3.1.0", "info": info, "paths": .object(paths.mapValues { .object($0) }),
            "components": .object(shared),
        ])
    }

    private func operation(_ route: Route, _ components: Schema.Components) -> JSONValue {
        var fields: [String: JSONValue] = [
            "summary": .text(summary),
            "responses": ["200": success(components), "default": ["$ref": "#/components/responses/Error"]],
        ]
        switch route.access {
        case .role(let role):
            fields["x-role"] = .text(role.rawValue)
            fields["security"] = [["session": []]]
        case .member:
            fields["x-role"] = "member"
            fields["security"] = [["member": []]]
        case .open: fields["x-role"] = "open"
        }
        let inPath = path.matches(of: /\{(\w+)\}/).map { match -> JSONValue in
            .object(["in": "path", "name": .text(String(match.1)), "required": true, "schema": Schema.words.json])
        }
        let inQuery = query.map { parameter -> JSONValue in
            .object([
                "in": "query", "name": .text(parameter.name), "required": false,
                "description": .text(parameter.description), "schema": parameter.schema.json(components),
            ])
        }
        if !inPath.isEmpty || !inQuery.isEmpty { fields["parameters"] = .list(inPath + inQuery) }
        if let body {
            let content: JSONValue = .object(["schema": body.json(components)])
            fields["requestBody"] = ["required": true, "content": .object(["application/json": content])]
        }
        return .object(fields)
    }

    private func success(_ components: Schema.Components) -> JSONValue {
        func content(_ type: String, _ schema: JSONValue) -> [String: JSONValue] {
            ["description": "Done", "content": .object([type: .object(["schema": schema])])]
        }
        switch answer {
        case .json(let schema): return .object(content("application/json", schema.json(components)))
        case .jpeg: return .object(content("image/jpeg", Schema.jpeg.json))
        case .file: return .object(content("application/vnd.ant.fit", ["type": "string", "format": "binary"]))
        case .events: return .object(content("text/event-stream", ["type": "string"]))
        case .rows(let schema):
            var fields = content("application/json", Schema.list(schema).json(components))
            fields["headers"] = [
                "X-Total-Count": [
                    "description":
                        "How many rows fit the filter, in this list and beyond its limit; '>100000' for more than that.",
                    "schema": ["type": "string"],
                ]
            ]
            return .object(fields)
        }
    }
}
