-- What the nodes said. This file needs the roles of roles.sql, and runs as the owner of the database (spotter_owner).
-- The tables of sums, of marks and of retention stand with their functions in sums.sql, days.sql and partitions.sql; the
-- table of readers stands in rights.sql.
CREATE SCHEMA spotter;
COMMENT ON SCHEMA spotter IS 'What the gyms'' nodes saw. Dashboards read the views; the tables may change.';

CREATE TABLE spotter.migration (
    number int PRIMARY KEY,
    name text NOT NULL,
    applied timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE spotter.migration IS 'The migrations that were applied.';

CREATE TABLE spotter.site (
    site_id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site text NOT NULL UNIQUE,
    time_zone text NOT NULL DEFAULT 'UTC'
);
COMMENT ON TABLE spotter.site IS 'The gyms. A changed time zone recomputes the gym''s days.';

-- The key is the node's name alone: names are unique in a fleet, and a node that moves to another gym keeps its
-- positions. The rows are updated often, and half-empty pages keep such updates off the indexes.
CREATE TABLE spotter.node (
    node_id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    node text NOT NULL UNIQUE,
    site_id int NOT NULL REFERENCES spotter.site,
    epoch uuid,
    epoch_told boolean NOT NULL DEFAULT false,
    heard timestamptz,
    status jsonb,
    status_received timestamptz,
    info jsonb,
    info_received timestamptz,
    health jsonb,
    health_received timestamptz,
    zone_problem text
) WITH (fillfactor = 50);
CREATE INDEX ON spotter.node (site_id);
COMMENT ON TABLE spotter.node IS 'The nodes, each with the newest status, info and health it sent.';
COMMENT ON COLUMN spotter.node.site_id IS 'The gym from which it was heard last.';
COMMENT ON COLUMN spotter.node.epoch IS
    'Its current epoch: of its newest info; without one, the epoch that appeared last.';
COMMENT ON COLUMN spotter.node.epoch_told IS 'Whether an info said so.';
COMMENT ON COLUMN spotter.node.heard IS 'When a report that only a living node makes came last.';
COMMENT ON COLUMN spotter.node.zone_problem IS
    'The time zone that it named last, if PostgreSQL does not know it: then the gym''s stays as it was.';

-- Words belong to a site: a reader of one gym shall not learn another gym's cameras and exercises.
CREATE TABLE spotter.word (
    word_id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site_id int NOT NULL REFERENCES spotter.site,
    text text NOT NULL,
    UNIQUE (site_id, text)
);
COMMENT ON TABLE spotter.word IS 'Labels, cameras, zones, models and reasons, so that rows hold numbers.';

CREATE TABLE spotter.stream (
    node_id int NOT NULL REFERENCES spotter.node,
    epoch uuid NOT NULL,
    received int8multirange NOT NULL DEFAULT '{}',
    newest bigint NOT NULL DEFAULT 0,
    last_made timestamptz,
    lag_s real,
    last_stored timestamptz,
    PRIMARY KEY (node_id, epoch)
) WITH (fillfactor = 50);
COMMENT ON TABLE spotter.stream IS 'Which positions of each epoch have come, or were declared lost.';
COMMENT ON COLUMN spotter.stream.newest IS 'The highest position of a record; last_made and lag_s are of this record.';

-- A session is one row, with its sets and actions packed into arrays. As rows of their own they would take about twice
-- the space, most of it headers and index entries. packing.sql names their columns.
--
-- Partitions are ranges of the id, because a UUIDv7 begins with the time. A corrected clock changes `started`, but
-- never the id, so a revision always meets its predecessor. An id of another kind falls anywhere, mostly into the last
-- partition.
CREATE TABLE spotter.session (
    id uuid NOT NULL,
    started timestamptz NOT NULL,
    ended timestamptz NOT NULL,
    node_id int NOT NULL,
    site_id int NOT NULL,
    day date NOT NULL,
    rev int NOT NULL,
    camera_id int NOT NULL,
    zone_id int,
    model_id int,
    end_reason_id int,
    excluded int NOT NULL,
    fps real,
    final boolean NOT NULL,
    synced boolean NOT NULL,
    sets int[] NOT NULL,
    actions int[] NOT NULL,
    PRIMARY KEY (id, node_id)
) PARTITION BY RANGE (id);
CREATE INDEX session_day ON spotter.session (site_id, day);
CREATE TABLE spotter.session_other PARTITION OF spotter.session DEFAULT;
COMMENT ON TABLE spotter.session IS 'The sessions in their highest revision.';
COMMENT ON COLUMN spotter.session.day IS 'The day on which it began, in the gym''s time zone.';
COMMENT ON COLUMN spotter.session.excluded IS 'Frames in which nothing was credited.';
COMMENT ON COLUMN spotter.session.synced IS 'Whether the node''s clock was right when the record was made.';
COMMENT ON COLUMN spotter.session.sets IS 'See spotter.unpack_sets.';
COMMENT ON COLUMN spotter.session.actions IS 'See spotter.unpack_actions.';

CREATE TABLE spotter.rollup (
    id uuid NOT NULL,
    started timestamptz NOT NULL,
    length_ms int NOT NULL,
    node_id int NOT NULL,
    site_id int NOT NULL,
    rev int NOT NULL,
    camera_id int NOT NULL,
    model_id int,
    fps real,
    synced boolean NOT NULL,
    actions int[] NOT NULL,
    PRIMARY KEY (id, node_id)
) PARTITION BY RANGE (id);
-- Rollups arrive in the order of time, so a summary for every few pages finds a day, and costs nearly nothing.
CREATE INDEX rollup_started ON spotter.rollup USING brin (started) WITH (pages_per_range = 16, autosummarize = on);
CREATE TABLE spotter.rollup_other PARTITION OF spotter.rollup DEFAULT;
COMMENT ON TABLE spotter.rollup IS 'What each camera counted in five minutes.';

-- There are few workouts, so they are plain rows. A name is what somebody typed. A revision without it removes it, also
-- from messages that were rejected.
CREATE TABLE spotter.workout (
    id uuid NOT NULL,
    node_id int NOT NULL REFERENCES spotter.node,
    site_id int NOT NULL REFERENCES spotter.site,
    rev int NOT NULL,
    started timestamptz NOT NULL,
    ended timestamptz NOT NULL,
    end_reason text,
    camera text NOT NULL,
    plan text NOT NULL,
    plan_name text NOT NULL,
    name text,
    challenge_s real,
    final boolean NOT NULL,
    synced boolean NOT NULL,
    PRIMARY KEY (id, node_id)
);
CREATE INDEX ON spotter.workout (site_id, started);
COMMENT ON TABLE spotter.workout IS 'The workouts in their highest revision.';

-- `measured` and `cues` are what was measured and said in the step; `pain` is what somebody stated after it.
CREATE TABLE spotter.workout_part (
    id uuid NOT NULL,
    node_id int NOT NULL,
    site_id int NOT NULL,
    number int NOT NULL,
    round int NOT NULL,
    action text NOT NULL,
    side text,
    planned_reps int,
    planned_s real,
    planned_rest_s real NOT NULL,
    started timestamptz,
    ended timestamptz,
    reps int NOT NULL,
    active_s real NOT NULL,
    rest_before_s real,
    score int,
    skipped boolean NOT NULL,
    complete boolean NOT NULL,
    measured jsonb,
    cues jsonb,
    pain int,
    PRIMARY KEY (id, node_id, number),
    FOREIGN KEY (id, node_id) REFERENCES spotter.workout ON DELETE CASCADE
);
COMMENT ON TABLE spotter.workout_part IS 'The steps of the workouts.';

-- There are few absences, so they are plain rows.
CREATE TABLE spotter.absence (
    id uuid NOT NULL,
    node_id int NOT NULL REFERENCES spotter.node,
    site_id int NOT NULL REFERENCES spotter.site,
    rev int NOT NULL,
    camera text NOT NULL,
    started timestamptz NOT NULL,
    ended timestamptz,
    reason text NOT NULL,
    final boolean NOT NULL,
    synced boolean NOT NULL,
    PRIMARY KEY (id, node_id)
);
CREATE INDEX ON spotter.absence (site_id, started);
CREATE INDEX ON spotter.absence (node_id, camera, started);
COMMENT ON TABLE spotter.absence IS 'Times without pictures of a camera, in their highest revision.';

CREATE TABLE spotter.gap (
    node_id int NOT NULL REFERENCES spotter.node,
    id uuid NOT NULL,
    rev int NOT NULL,
    epoch uuid NOT NULL,
    from_seq bigint,
    to_seq bigint,
    records bigint,
    reason_id int,
    made timestamptz,
    PRIMARY KEY (node_id, id)
);
COMMENT ON TABLE spotter.gap IS 'Losses that nodes declared: these records will never come.';

CREATE TABLE spotter.tombstone (
    id uuid NOT NULL,
    node_id int NOT NULL,
    rev int NOT NULL,
    deleted timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id, node_id)
);
COMMENT ON TABLE spotter.tombstone IS 'Sessions that were deleted. They stay deleted, whatever comes later.';

CREATE TABLE spotter.rejected (
    rejected_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    received timestamptz NOT NULL,
    topic text NOT NULL,
    site text,
    node text,
    reason text NOT NULL,
    payload text,
    ids uuid[] NOT NULL DEFAULT '{}',
    times int NOT NULL DEFAULT 1,
    digest bytea NOT NULL UNIQUE
);
CREATE INDEX ON spotter.rejected USING gin (ids);
CREATE INDEX ON spotter.rejected (node, site);
COMMENT ON TABLE spotter.rejected IS
    'Messages that did not fit their schema, at most 100,000. One that comes again is counted in its row.';
COMMENT ON COLUMN spotter.rejected.received IS 'When it came last.';
COMMENT ON COLUMN spotter.rejected.ids IS 'The ids that the payload names, for deletion.';
