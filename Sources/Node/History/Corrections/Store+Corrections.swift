import Actions
import Contract
import Foundation
import GRDB
import Records

/// What a set is corrected to.
public enum SetChange: Sendable, Equatable {
    /// The right label, the right number of repetitions, the load in kilograms and the perceived exertion; `nil` leaves one
    /// as it is, and a load or exertion of 0 is none. The label `none` stands for a set that never was, with 0 repetitions.
    case to(label: String? = nil, reps: Int? = nil, loadKg: Double? = nil, rpe: Double? = nil)
    /// Back to what was recognised, without load and exertion.
    case undo
}

extension Store {
    /// Corrects a set of a session that has ended, in one transaction. What was recognised stays beside the correction.
    ///
    /// The totals of the day change by the difference, and receivers get the session again with a higher revision. The
    /// five-minute sums stay as they were recognised.
    ///
    /// - Parameter known: the labels that a set may have, beside those of its session and `none`; `nil` for any, where
    ///   a person said that the label is new.
    /// - Returns: the days whose totals changed, or the day of the set where only load or exertion did; none where the set was
    ///   already as it is to be.
    /// - Throws: ``CorrectionError`` for what cannot be corrected; ``HistoryError``. Nothing is changed then.
    @discardableResult
    public func correctSet(
        _ number: Int, of session: String, to change: SetChange, known: [String]? = nil, wall: Date,
        clock: ClockState = .now()
    ) throws -> [DayRow] {
        let correcting = Correcting(
            number: number, session: session, change: change, known: known,
            wallMilliseconds: Timestamp.milliseconds(wall),
            clock: clock, calendar: DayCalendar(timeZone: settings.timeZone))
        // A refusal is no failure of the storage, so it does not leave the transaction as an error.
        let result = try write { db -> Result<[DayRow], CorrectionError> in
            do { return .success(try correcting.run(in: db)) } catch let refusal as CorrectionError {
                return .failure(refusal)
            }
        }
        return try result.get()
    }
}

/// One correction inside the caller's transaction.
private struct Correcting {
    let number: Int
    let session: String
    let change: SetChange
    let known: [String]?
    let wallMilliseconds: Int64
    let clock: ClockState
    let calendar: DayCalendar

    func run(in db: Database) throws -> [DayRow] {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM session WHERE id = ?", arguments: [session]) else {
            throw CorrectionError.unknownSession(try MissingSession(session, in: db))
        }
        if row.optionalText("end_reason") == nil { throw CorrectionError.sessionOpen(session) }
        let before = try SessionReader(db).recognised(row)
        try SetCorrection.store(
            correction(of: before), set: number, session: session, wallMilliseconds: wallMilliseconds, in: db)
        let after = try SessionReader(db).recognised(row)
        guard after.corrections != before.corrections else { return [] }
        var calendar = self.calendar
        var days = try SetMove.credit(
            before.moves, after.moves, camera: row.text("camera"), day: { calendar.day(of: $0) }, in: db)
        for day in days {
            try DayRows.dropEmpty(on: day, in: db)
            try DayRows.revise(day, in: db)
        }
        if days.isEmpty, let set = before.sets.first(where: { $0.number == number }) {
            days = [DayCamera(day: calendar.day(of: set.start), camera: row.text("camera"))]
        }
        try record(row, in: db)
        return try days.sorted { ($0.day, $0.camera) < ($1.day, $1.camera) }
            .map { try DayRow(day: $0.day, camera: $0.camera, in: db) }
    }

    /// The row to store; `nil` for what was recognised.
    private func correction(of session: RecognisedSession) throws -> SetCorrection? {
        guard let set = session.sets.first(where: { $0.number == number }) else {
            throw CorrectionError.unknownSet(number, known: session.sets.map(\.number))
        }
        guard case .to(let wantedLabel, let wantedReps, let wantedLoad, let wantedRPE) = change else { return nil }
        let present = session.corrections[number]
        let label = wantedLabel ?? present?.label ?? set.label
        let isNothing = label == SetCorrection.nothing
        // A set that is to be again gets back the repetitions that were recognised.
        let usual = present?.countedLabel == nil ? set.reps : present?.reps ?? set.reps
        let load = wantedLoad ?? (isNothing ? nil : present?.loadKg)
        let rpe = wantedRPE ?? (isNothing ? nil : present?.rpe)
        let right = SetCorrection(
            label: label, reps: wantedReps ?? (isNothing ? 0 : usual),
            loadKg: load == 0 ? nil : load?.rounded(decimals: 2), rpe: rpe == 0 ? nil : rpe)
        try check(right.label, of: session)
        guard (0...SetCorrection.maximumReps).contains(right.reps) else {
            throw CorrectionError.invalidReps(right.reps)
        }
        if let load, !(0...SetBody.maximumLoadKg).contains(load) { throw CorrectionError.invalidLoad(load) }
        if let rpe = right.rpe, !SetBody.efforts.contains(rpe) || rpe * 2 != (rpe * 2).rounded() {
            throw CorrectionError.invalidRPE(rpe)
        }
        if isNothing, right.reps > 0 || !right.hasNoEffort { throw CorrectionError.workOfNothing }
        return right.isAs(set) && right.hasNoEffort ? nil : right
    }

    private func check(_ label: String, of session: RecognisedSession) throws {
        let own = session.actions.map(\.label) + session.sets.map(\.label)
        if own.contains(label) || label == SetCorrection.nothing { return }
        guard Self.isLabel(label) else { throw CorrectionError.invalidLabel(label) }
        // What is stored is kept where only the count changes.
        guard let known, !known.contains(label), session.corrections[number]?.label != label else { return }
        let possible = Set(own + known).filter { PseudoLabel(rawValue: $0) == nil }.union([SetCorrection.nothing])
        throw CorrectionError.unknownLabel(label, known: possible.sorted())
    }

    private static func isLabel(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z0-9_]{1,63}/) != nil && PseudoLabel(rawValue: text) == nil
    }

    /// Records the corrected session with a revision above all earlier ones. Its clock is that of its beginning.
    private func record(_ row: Row, in db: Database) throws {
        let recorded = try Int.fetchOne(
            db, sql: "SELECT max(rev) FROM record WHERE type = 'session' AND id = ?", arguments: [session])
        let last = Int64(max(recorded ?? 0, row.integer("rev"))).clamped
        try db.execute(
            sql: "UPDATE session SET rev = ?, recorded_ms = ? WHERE id = ?",
            arguments: [last + 1, wallMilliseconds, session])
        guard let corrected = try SessionRow.fetch(session, in: db) else { return }
        let isTrusted = try ClockStretch.state(of: row.position("clock"), in: db) == .synced
        try RecordLog.append(
            .session, id: session, rev: Int(last + 1), final: true, body: JSONText.encode(SessionBody(corrected)),
            wallMilliseconds: wallMilliseconds, clock: isTrusted ? clock : .unsynced, in: db)
    }
}
