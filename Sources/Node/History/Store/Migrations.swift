import GRDB

/// The database schema as numbered migrations. A released migration is never changed.
package enum Migrations {
    /// The schema version this program writes, stored in the file as `user_version`.
    package static let version = 21

    /// All migrations, in order.
    package static func migrator() -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        let schemas = [
            schema1, schema2, schema3, schema4, schema5, schema6, schema7, schema8, schema9, schema10, schema11,
            schema12, schema13, schema14, schema15, schema16, schema17, schema18, schema19, schema20, schema21,
        ]
        for (version, schema) in zip(1..., schemas) {
            migrator.registerMigration("v\(version)") { db in
                try db.execute(sql: schema)
                if version == 8 { try PackedWorkouts.pack(in: db) }
                if version == 10 { try PrivateRecords.redact(in: db) }
                try db.execute(sql: "PRAGMA user_version = \(version)")
            }
        }
        return migrator
    }

    /// Cameras and labels are text where people look, and numbers in the many rows of `prediction`. Times are
    /// milliseconds since 1970 (`_ms`); confidences in `prediction` are thousandths.
    private static let schema1 = """
        CREATE TABLE meta(k TEXT PRIMARY KEY, v TEXT NOT NULL) WITHOUT ROWID;

        CREATE TABLE session(
          id TEXT PRIMARY KEY, camera TEXT NOT NULL, track INTEGER NOT NULL,
          start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL, end_reason TEXT,
          model TEXT NOT NULL, fps REAL NOT NULL,
          rev INTEGER NOT NULL DEFAULT 0, recorded_ms INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
        CREATE INDEX session_start ON session(start_ms);
        CREATE INDEX session_open ON session(id) WHERE end_reason IS NULL;
        CREATE TABLE session_action(
          session TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, label TEXT NOT NULL,
          position INTEGER NOT NULL, frames INTEGER NOT NULL, seconds REAL NOT NULL, reps INTEGER,
          conf_mean REAL NOT NULL, PRIMARY KEY(session, label)) WITHOUT ROWID;
        CREATE TABLE session_excluded(
          session TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, reason TEXT NOT NULL,
          frames INTEGER NOT NULL, PRIMARY KEY(session, reason)) WITHOUT ROWID;

        CREATE TABLE day_camera(
          day TEXT NOT NULL, camera TEXT NOT NULL, sessions INTEGER NOT NULL DEFAULT 0,
          rev INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(day, camera)) WITHOUT ROWID;
        CREATE TABLE day_action(
          day TEXT NOT NULL, camera TEXT NOT NULL, label TEXT NOT NULL, frames INTEGER NOT NULL DEFAULT 0,
          seconds REAL NOT NULL DEFAULT 0, reps INTEGER, PRIMARY KEY(day, camera, label)) WITHOUT ROWID;
        CREATE TABLE day_excluded(
          day TEXT NOT NULL, camera TEXT NOT NULL, reason TEXT NOT NULL, frames INTEGER NOT NULL DEFAULT 0,
          PRIMARY KEY(day, camera, reason)) WITHOUT ROWID;

        CREATE TABLE name(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
        CREATE TABLE prediction(
          end_ms INTEGER NOT NULL, camera INTEGER NOT NULL REFERENCES name(id), track INTEGER NOT NULL,
          label INTEGER NOT NULL REFERENCES name(id), confidence INTEGER NOT NULL, frames INTEGER NOT NULL,
          PRIMARY KEY(end_ms, camera, track)) WITHOUT ROWID;

        CREATE TABLE record(
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          type TEXT NOT NULL CHECK(type IN ('session', 'rollup', 'gap', 'node')),
          id TEXT NOT NULL, rev INTEGER NOT NULL DEFAULT 1, final INTEGER NOT NULL DEFAULT 0,
          ts_ms INTEGER NOT NULL, clock TEXT NOT NULL CHECK(clock IN ('synced', 'unsynced')),
          body TEXT NOT NULL CHECK(json_valid(body)), UNIQUE(type, id, rev));
        CREATE TABLE cursor(
          consumer TEXT PRIMARY KEY, epoch TEXT NOT NULL, acked_seq INTEGER NOT NULL,
          at_ms INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// Five-minute sums, which become records at the end of their time (`dirty` until then), and responses to commands.
    private static let schema2 = """
        CREATE TABLE rollup(
          start_ms INTEGER NOT NULL, camera TEXT NOT NULL, id TEXT NOT NULL UNIQUE, model TEXT NOT NULL,
          fps REAL NOT NULL, rev INTEGER NOT NULL DEFAULT 0, dirty INTEGER NOT NULL DEFAULT 1,
          PRIMARY KEY(start_ms, camera)) WITHOUT ROWID;
        CREATE INDEX rollup_dirty ON rollup(start_ms) WHERE dirty = 1;
        CREATE TABLE rollup_action(
          rollup TEXT NOT NULL REFERENCES rollup(id) ON DELETE CASCADE, label TEXT NOT NULL,
          frames INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY(rollup, label)) WITHOUT ROWID;

        CREATE TABLE cmd_seen(id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, response TEXT NOT NULL) WITHOUT ROWID;
        CREATE INDEX cmd_seen_at ON cmd_seen(at_ms);
        """

    /// The sets of each session; `form` is the score, 0…100.
    private static let schema3 = """
        CREATE TABLE session_set(
          session TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, number INTEGER NOT NULL,
          label TEXT NOT NULL, start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL, reps INTEGER NOT NULL,
          form INTEGER, PRIMARY KEY(session, number)) WITHOUT ROWID;
        """

    /// Each row with times refers to a `clock_stretch`: its boot, and whether its clock was trusted. Two stretches can
    /// have sums for the same five minutes. The key's columns come first, because integrity_check of SQLite 3.40
    /// otherwise reports NULL in `id`. Older rows count as trusted (0), except for sessions and rollups whose newest
    /// record says `unsynced`.
    private static let schema4 = """
        CREATE TABLE clock_stretch(
          id INTEGER PRIMARY KEY, boot TEXT NOT NULL, state TEXT NOT NULL CHECK(state IN ('synced', 'unsynced')),
          base_ms INTEGER NOT NULL, from_seq INTEGER NOT NULL);
        ALTER TABLE session ADD COLUMN clock INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE prediction ADD COLUMN clock INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE new_rollup(
          start_ms INTEGER NOT NULL, camera TEXT NOT NULL, clock INTEGER NOT NULL DEFAULT 0,
          id TEXT NOT NULL UNIQUE, model TEXT NOT NULL, fps REAL NOT NULL, rev INTEGER NOT NULL DEFAULT 0,
          dirty INTEGER NOT NULL DEFAULT 1, PRIMARY KEY(start_ms, camera, clock)) WITHOUT ROWID;
        INSERT INTO new_rollup SELECT start_ms, camera, 0, id, model, fps, rev, dirty FROM rollup;
        DROP TABLE rollup;
        ALTER TABLE new_rollup RENAME TO rollup;
        CREATE INDEX rollup_dirty ON rollup(start_ms) WHERE dirty = 1;
        CREATE INDEX record_age ON record(ts_ms) WHERE clock = 'synced';

        INSERT INTO clock_stretch VALUES(1, '', 'unsynced', 0, 1);
        INSERT OR IGNORE INTO clock_stretch
          SELECT 2, json_extract(v, '$.boot'), 'unsynced', json_extract(v, '$.base'), json_extract(v, '$.from_seq')
          FROM meta WHERE k = 'unsynced' AND json_valid(v);
        CREATE TEMP TABLE doubtful AS
          SELECT type, id, seq, 1 + (seq >= ifnull((SELECT from_seq FROM clock_stretch WHERE id = 2), 1e18)) AS stretch
          FROM (SELECT type, id, clock, max(seq) AS seq FROM record GROUP BY type, id) WHERE clock = 'unsynced';
        UPDATE session SET clock = (SELECT stretch FROM doubtful d WHERE d.id = session.id)
          WHERE id IN (SELECT id FROM doubtful WHERE type = 'session');
        UPDATE rollup SET clock = (SELECT stretch FROM doubtful d WHERE d.id = rollup.id)
          WHERE id IN (SELECT id FROM doubtful WHERE type = 'rollup');
        DROP TABLE doubtful;
        DELETE FROM meta WHERE k = 'unsynced';
        """

    /// The zone of each session and set, each day's use of the zones, corrections by people, and kept poses.
    ///
    /// A correction stands beside the set that it corrects, so what was recognised is never lost. `kept_pose` holds a
    /// few seconds of one session's joints in each row.
    private static let schema5 = """
        ALTER TABLE session ADD COLUMN zone TEXT;
        ALTER TABLE session_set ADD COLUMN zone TEXT;
        CREATE TABLE day_zone(
          day TEXT NOT NULL, camera TEXT NOT NULL, zone TEXT NOT NULL, sets INTEGER NOT NULL DEFAULT 0,
          reps INTEGER NOT NULL DEFAULT 0, seconds REAL NOT NULL DEFAULT 0,
          PRIMARY KEY(day, camera, zone)) WITHOUT ROWID;
        CREATE TABLE set_correction(
          session TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, number INTEGER NOT NULL,
          label TEXT NOT NULL, reps INTEGER NOT NULL, made_ms INTEGER NOT NULL,
          PRIMARY KEY(session, number)) WITHOUT ROWID;
        CREATE TABLE kept_pose(
          session TEXT NOT NULL REFERENCES session(id) ON DELETE CASCADE, start_ms INTEGER NOT NULL,
          end_ms INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY(session, start_ms));
        CREATE INDEX kept_pose_age ON kept_pose(end_ms);
        """

    /// Workouts with their steps, and what other programs of this machine ask the running node to do.
    ///
    /// `record` is made anew, because SQLite cannot change the CHECK of its types. Positions go on where they were.
    private static let schema6 = """
        CREATE TABLE workout(
          id TEXT PRIMARY KEY, camera TEXT NOT NULL, plan TEXT NOT NULL CHECK(json_valid(plan)), name TEXT,
          start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL, end_reason TEXT, step INTEGER NOT NULL,
          phase TEXT NOT NULL, until_ms INTEGER, rev INTEGER NOT NULL DEFAULT 0,
          clock INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
        CREATE INDEX workout_start ON workout(start_ms);
        CREATE INDEX workout_open ON workout(id) WHERE end_reason IS NULL;
        CREATE INDEX workout_name ON workout(name) WHERE name IS NOT NULL;
        CREATE TABLE workout_step(
          workout TEXT NOT NULL REFERENCES workout(id) ON DELETE CASCADE, number INTEGER NOT NULL,
          action TEXT NOT NULL, start_ms INTEGER, end_ms INTEGER, reps INTEGER NOT NULL, seconds REAL NOT NULL,
          rest_before_seconds REAL, form INTEGER, skipped INTEGER NOT NULL, PRIMARY KEY(workout, number)) WITHOUT ROWID;
        CREATE TABLE request(
          id TEXT PRIMARY KEY, at_ms INTEGER NOT NULL, command TEXT NOT NULL, answer TEXT) WITHOUT ROWID;

        CREATE TABLE new_record(
          seq INTEGER PRIMARY KEY AUTOINCREMENT,
          type TEXT NOT NULL CHECK(type IN ('session', 'rollup', 'gap', 'node', 'workout')),
          id TEXT NOT NULL, rev INTEGER NOT NULL DEFAULT 1, final INTEGER NOT NULL DEFAULT 0,
          ts_ms INTEGER NOT NULL, clock TEXT NOT NULL CHECK(clock IN ('synced', 'unsynced')),
          body TEXT NOT NULL CHECK(json_valid(body)), UNIQUE(type, id, rev));
        INSERT INTO new_record SELECT seq, type, id, rev, final, ts_ms, clock, body FROM record;
        DELETE FROM sqlite_sequence WHERE name = 'new_record';
        INSERT INTO sqlite_sequence(name, seq) SELECT 'new_record', seq FROM sqlite_sequence WHERE name = 'record';
        DROP TABLE record;
        ALTER TABLE new_record RENAME TO record;
        CREATE INDEX record_age ON record(ts_ms) WHERE clock = 'synced';
        """

    /// What was measured and said in the steps of workouts, and the pain after them.
    private static let schema7 = """
        ALTER TABLE workout_step ADD COLUMN measured TEXT NOT NULL DEFAULT '[]' CHECK(json_valid(measured));
        ALTER TABLE workout_step ADD COLUMN cues TEXT NOT NULL DEFAULT '[]' CHECK(json_valid(cues));
        ALTER TABLE workout_step ADD COLUMN pain INTEGER;
        """

    /// Measurements in small rows, and their sums beside them: see `WorkoutRows`. Sets are listed by their time.
    private static let schema8 = """
        ALTER TABLE workout_step ADD COLUMN sums TEXT;
        CREATE TABLE workout_rep(
          workout TEXT NOT NULL REFERENCES workout(id) ON DELETE CASCADE, step INTEGER NOT NULL,
          number INTEGER NOT NULL, measured TEXT NOT NULL, PRIMARY KEY(workout, step, number)) WITHOUT ROWID;
        CREATE INDEX session_set_start ON session_set(start_ms);
        CREATE INDEX request_at ON request(at_ms);
        """

    /// When cameras delivered no pictures. The record log checks its types no more: the program knows them.
    private static let schema9 = """
        CREATE TABLE camera_absence(
          id TEXT PRIMARY KEY, camera TEXT NOT NULL, start_ms INTEGER NOT NULL, end_ms INTEGER, reason TEXT NOT NULL,
          rev INTEGER NOT NULL DEFAULT 0, clock INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
        CREATE INDEX camera_absence_start ON camera_absence(start_ms);
        CREATE INDEX camera_absence_open ON camera_absence(camera) WHERE end_ms IS NULL;

        CREATE TABLE new_record(
          seq INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL,
          id TEXT NOT NULL, rev INTEGER NOT NULL DEFAULT 1, final INTEGER NOT NULL DEFAULT 0,
          ts_ms INTEGER NOT NULL, clock TEXT NOT NULL CHECK(clock IN ('synced', 'unsynced')),
          body TEXT NOT NULL CHECK(json_valid(body)), UNIQUE(type, id, rev));
        INSERT INTO new_record SELECT seq, type, id, rev, final, ts_ms, clock, body FROM record;
        DELETE FROM sqlite_sequence WHERE name = 'new_record';
        INSERT INTO sqlite_sequence(name, seq) SELECT 'new_record', seq FROM sqlite_sequence WHERE name = 'record';
        DROP TABLE record;
        ALTER TABLE new_record RENAME TO record;
        CREATE INDEX record_age ON record(ts_ms) WHERE clock = 'synced';
        """

    /// What public places show in the place of a name. Names and pain of prescriptions leave the record log.
    private static let schema10 = """
        ALTER TABLE workout ADD COLUMN nickname TEXT;
        """

    /// Programs of this machine ask at a socket.
    private static let schema11 = "DROP TABLE request;"

    /// The weight of a set, as a person entered it.
    private static let schema12 = "ALTER TABLE set_correction ADD COLUMN load_kg REAL;"

    /// How sure the node was of a set.
    private static let schema13 = "ALTER TABLE session_set ADD COLUMN confidence REAL;"

    /// How sure it was of the set's count.
    private static let schema14 = "ALTER TABLE session_set ADD COLUMN reps_margin INTEGER;"

    /// What the node asks people, so that it learns and knows how often it errs. The joints are bytes to the history, and
    /// leave before the answer. The pools are what the questions that were drawn by chance stand for.
    private static let schema15 = """
        CREATE TABLE question(
          id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, sample TEXT NOT NULL, reason TEXT NOT NULL,
          weight REAL NOT NULL, week TEXT NOT NULL, camera TEXT NOT NULL, start_ms INTEGER NOT NULL,
          end_ms INTEGER NOT NULL, session TEXT REFERENCES session(id) ON DELETE CASCADE, number INTEGER, shown TEXT,
          reps INTEGER, likely TEXT NOT NULL, model TEXT NOT NULL, poses BLOB, answer TEXT, answer_reps INTEGER,
          answered_ms INTEGER, clock INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX question_week ON question(week, kind, sample);
        CREATE INDEX question_session ON question(session) WHERE session IS NOT NULL;
        CREATE INDEX question_start ON question(start_ms);
        CREATE TABLE question_pool(
          week TEXT NOT NULL, kind TEXT NOT NULL, camera TEXT NOT NULL, seen INTEGER NOT NULL, seconds REAL NOT NULL,
          PRIMARY KEY(week, kind, camera)) WITHOUT ROWID;
        """

    /// What waits to be sent to recipients, and the problems that alerts tell of. A delivery without a text belongs to a
    /// workout, from which its text is made when it is sent.
    private static let schema16 = """
        CREATE TABLE delivery(
          id TEXT PRIMARY KEY, recipient TEXT NOT NULL, workout TEXT REFERENCES workout(id) ON DELETE CASCADE,
          message TEXT, made_ms INTEGER NOT NULL, due_ms INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
          failure TEXT, given_up INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
        CREATE INDEX delivery_due ON delivery(due_ms) WHERE given_up = 0;
        CREATE INDEX delivery_workout ON delivery(workout) WHERE workout IS NOT NULL;
        CREATE TABLE standing_problem(
          alert TEXT NOT NULL, topic TEXT NOT NULL, camera TEXT NOT NULL, since_ms INTEGER NOT NULL,
          told INTEGER NOT NULL, PRIMARY KEY(alert, topic, camera)) WITHOUT ROWID;
        """

    /// How many people were seen in each quarter of an hour, and for how long the cameras watched.
    private static let schema17 = """
        CREATE TABLE occupancy(
          start_ms INTEGER NOT NULL, camera TEXT NOT NULL, clock INTEGER NOT NULL DEFAULT 0,
          watched_seconds REAL NOT NULL, person_seconds REAL NOT NULL, most INTEGER NOT NULL,
          most_of_all INTEGER NOT NULL, PRIMARY KEY(start_ms, camera, clock)) WITHOUT ROWID;
        CREATE TABLE occupancy_zone(
          start_ms INTEGER NOT NULL, camera TEXT NOT NULL, zone TEXT NOT NULL, clock INTEGER NOT NULL DEFAULT 0,
          person_seconds REAL NOT NULL, waiting_seconds REAL NOT NULL, most INTEGER NOT NULL,
          PRIMARY KEY(start_ms, camera, zone, clock)) WITHOUT ROWID;
        """

    /// The perceived exertion of a set, and the codes with which members see what is theirs.
    private static let schema18 = """
        ALTER TABLE set_correction ADD COLUMN rpe REAL;
        CREATE TABLE member_code(
          key TEXT PRIMARY KEY, id TEXT NOT NULL, name TEXT NOT NULL, nickname TEXT NOT NULL,
          code TEXT NOT NULL CHECK(json_valid(code)), made_ms INTEGER NOT NULL) WITHOUT ROWID;
        """

    /// Who lay on the floor and did not move.
    private static let schema19 = """
        CREATE TABLE alarm(
          id TEXT PRIMARY KEY, camera TEXT NOT NULL, zone TEXT, cause TEXT NOT NULL, since_ms INTEGER NOT NULL,
          start_ms INTEGER NOT NULL, ended_ms INTEGER, acknowledged_ms INTEGER) WITHOUT ROWID;
        CREATE INDEX alarm_start ON alarm(start_ms);
        """

    /// By which clock an alarm was dated, and one standing problem for each alarm.
    private static let schema20 = """
        ALTER TABLE alarm ADD COLUMN clock INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE standing_problem RENAME TO old_standing_problem;
        CREATE TABLE standing_problem(
          alert TEXT NOT NULL, topic TEXT NOT NULL, camera TEXT NOT NULL, alarm TEXT NOT NULL, since_ms INTEGER NOT NULL,
          told INTEGER NOT NULL, PRIMARY KEY(alert, topic, camera, alarm)) WITHOUT ROWID;
        INSERT INTO standing_problem SELECT alert, topic, camera, '', since_ms, told FROM old_standing_problem;
        DROP TABLE old_standing_problem;
        """

    /// The repetitions of either side of the body.
    private static let schema21 = """
        ALTER TABLE session_set ADD COLUMN left_reps INTEGER;
        ALTER TABLE session_set ADD COLUMN right_reps INTEGER;
        """
}
