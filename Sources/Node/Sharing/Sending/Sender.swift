import Capture
import Foundation
import Records
import Words

/// Sends one message to one recipient, and says what came back. It waits for the answer.
package struct Sender: Sendable {
    private let curl: Curl
    private let sendmail: Sendmail
    /// The language of what is sent.
    let words: Words
    private let zone: TimeZone

    /// - Parameters:
    ///   - words: the language of what is sent.
    ///   - zone: the time zone of moments in it.
    ///   - cancellation: ends what is under way.
    package init(
        words: Words = Words(.english), zone: TimeZone = .current, cancellation: Cancellation = Cancellation(),
        patienceSeconds: Double = Curl.patienceSeconds,
        curl program: String = "curl"
    ) {
        (self.words, self.zone) = (words, zone)
        curl = Curl(cancellation: cancellation, patienceSeconds: patienceSeconds, program: program)
        sendmail = Sendmail(cancellation: cancellation, patienceSeconds: patienceSeconds)
    }

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - id: the same for every attempt.
    ///   - date: the time of the attempt, which the signature covers.
    /// - Returns: what came back, in one line.
    /// - Throws: ``SendingFailure``.
    package func send(
        _ message: Message, id: String, to recipient: Recipient, at date: Date = Date()
    ) throws(SendingFailure) -> String {
        switch recipient.kind {
        case .webhook: return try sendWebhook(message, id: id, to: recipient, at: date)
        case .ntfy: return try sendNtfy(message, to: recipient)
        case .mail:
            try sendmail.send(
                subject: message.title(words), text: message.text(words, zone: zone), to: recipient.to,
                by: recipient.sendmail)
            return "\(recipient.sendmail) took the mail to \(recipient.to)"
        case .wger:
            guard case .workout(let workout, _) = message else {
                throw SendingFailure("wger takes workouts only: use another kind for '\(recipient.name)'")
            }
            return try WgerDiary(recipient, curl).add(workout)
        }
    }

    /// Sends a message that says it is a test, and to wger nothing but a question.
    ///
    /// - Returns: what came back, in one line.
    /// - Throws: ``SendingFailure``.
    package func test(_ message: Message, to recipient: Recipient) throws(SendingFailure) -> String {
        guard recipient.kind != .wger else { return try WgerDiary(recipient, curl).check() }
        return try send(message, id: UUIDv7.string(at: Date()), to: recipient)
    }

    private func sendWebhook(
        _ message: Message, id: String, to recipient: Recipient, at date: Date
    ) throws(SendingFailure) -> String {
        let body = message.json(words, zone: zone)
        let signature = WebhookSignature.headers(id: id, body: body, at: date, secret: try Secret.read(recipient))
        let request = HTTPRequest(
            "POST", recipient.url, headers: [.init("Content-Type", "application/json")] + signature, body: body)
        return try taken(try curl.send(request))
    }

    private func sendNtfy(_ message: Message, to recipient: Recipient) throws(SendingFailure) -> String {
        // Header values of ntfy are UTF-8; a line break would begin another header.
        let title = message.title(words).replacing("\n", with: " ").replacing("\r", with: " ")
        var headers: [HTTPRequest.Header] = [
            .init("Content-Type", "text/plain; charset=utf-8"), .init("Title", title),
        ]
        if message.isUrgent { headers.append(.init("Priority", "high")) }
        if let token = try Secret.read(recipient) { headers.append(.init("Authorization", "Bearer \(token)")) }
        return try taken(
            try curl.send(HTTPRequest("POST", recipient.url, headers: headers, body: message.text(words, zone: zone))))
    }

    private func taken(_ answer: HTTPAnswer) throws(SendingFailure) -> String {
        guard answer.isSuccess else { throw SendingFailure("the receiver answered \(answer.words)") }
        return answer.words
    }
}
