-- Workouts: what was planned and what was done. There are few of them, so they are plain rows. A name is what somebody
-- typed. A revision without it removes it, also from messages that were rejected.
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
    coaching_hint int,
    skipped boolean NOT NULL,
    complete boolean NOT NULL,
    PRIMARY KEY (id, node_id, number),
    FOREIGN KEY (id, node_id) REFERENCES spotter.workout ON DELETE CASCADE
);
COMMENT ON TABLE spotter.workout_part IS 'The steps of the workouts.';

CREATE FUNCTION spotter.batch_workouts() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_temp.batch_record WHERE workout) THEN RETURN; END IF;
    WITH new AS (
        INSERT INTO spotter.workout AS s
            (id, node_id, site_id, rev, started, ended, end_reason, camera, plan, plan_name, name, challenge_s, final,
             synced)
        SELECT b.id, b.node_id, b.site_id, b.rev, r.started, r.ended, r.end_reason, r.camera, w.plan, w.plan_name,
               w.name, w.challenge_s, r.final, r.synced
        FROM pg_temp.batch_record b
        JOIN pg_temp.incoming_record r USING (line)
        JOIN pg_temp.incoming_workout w USING (line)
        WHERE b.workout
        ORDER BY b.id, b.node_id
        ON CONFLICT (id, node_id) DO UPDATE
        SET (site_id, rev, started, ended, end_reason, camera, plan, plan_name, name, challenge_s, final, synced)
            = (excluded.site_id, excluded.rev, excluded.started, excluded.ended, excluded.end_reason, excluded.camera,
               excluded.plan, excluded.plan_name, excluded.name, excluded.challenge_s, excluded.final,
               excluded.synced)
        WHERE s.rev < excluded.rev
        RETURNING s.id, s.node_id
    )
    UPDATE pg_temp.batch_record b SET written = true
    FROM new WHERE b.workout AND b.id = new.id AND b.node_id = new.node_id;

    DELETE FROM spotter.workout_part p USING pg_temp.batch_record b
    WHERE b.workout AND b.written AND p.id = b.id AND p.node_id = b.node_id;
    INSERT INTO spotter.workout_part
        (id, node_id, site_id, number, round, action, side, planned_reps, planned_s, planned_rest_s, started, ended,
         reps, active_s, rest_before_s, coaching_hint, skipped, complete)
    SELECT b.id, b.node_id, b.site_id, t.number, t.round, t.action, t.side, t.planned_reps, t.planned_s,
           t.planned_rest_s, t.started, t.ended, t.reps, t.active_s, t.rest_before_s, t.coaching_hint, t.skipped,
           t.complete
    FROM pg_temp.batch_record b JOIN pg_temp.incoming_step t USING (line)
    WHERE b.workout AND b.written;

    DELETE FROM spotter.rejected
    WHERE ids && (SELECT coalesce(array_agg(b.id), '{}')
                  FROM pg_temp.batch_record b JOIN pg_temp.incoming_workout w USING (line)
                  WHERE b.workout AND b.written AND w.name IS NULL);
END
$$;

CREATE OR REPLACE FUNCTION spotter.batch_records() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pg_temp.batch_record
        (line, node_id, site_id, epoch, id, rev, day, session, tombstone, rollup, gap, workout, written)
    SELECT line, node_id, site_id, epoch, id, rev, (started AT TIME ZONE time_zone)::date,
           wins AND NOT dead AND type = 'session', wins AND dead AND type = 'session',
           wins AND NOT dead AND type = 'rollup', wins AND NOT dead AND type = 'gap',
           wins AND NOT dead AND type = 'workout', false
    FROM (SELECT r.*, n.node_id, s.site_id, s.time_zone, coalesce(r.deleted, false) AS dead,
                 row_number() OVER (PARTITION BY n.node_id, r.type, r.id
                                    ORDER BY coalesce(r.deleted, false) DESC, r.rev DESC, r.line) = 1 AS wins
          FROM pg_temp.incoming_record r
          JOIN spotter.site s ON s.site = r.site
          JOIN spotter.node n ON n.node = r.node) placed;
END
$$;

CREATE OR REPLACE FUNCTION spotter.store_batch()
RETURNS TABLE (site text, node text, epoch uuid, is_current boolean, prefix bigint, highest bigint,
               missing_from bigint, missing_to bigint, stored int, known int)
LANGUAGE plpgsql SET jit = off AS $$
BEGIN
    PERFORM spotter.require_read_committed();
    PERFORM pg_advisory_xact_lock_shared(spotter.lock_key('batch'));
    -- A second call in one transaction stores the same batch once more, which changes nothing.
    DELETE FROM pg_temp.batch_record;
    DELETE FROM pg_temp.batch_word;
    DELETE FROM pg_temp.batch_stream;
    PERFORM spotter.batch_places();
    IF EXISTS (SELECT FROM pg_temp.incoming_node) THEN
        PERFORM spotter.batch_time_zones();
        PERFORM spotter.batch_reports();
    END IF;
    PERFORM spotter.batch_records();
    PERFORM spotter.batch_words();
    PERFORM spotter.batch_positions();
    PERFORM spotter.batch_deletions();
    PERFORM spotter.batch_sessions();
    PERFORM spotter.batch_rollups();
    PERFORM spotter.batch_gaps();
    PERFORM spotter.batch_workouts();
    PERFORM spotter.batch_rejected();
    RETURN QUERY
    SELECT t.site, n.node, t.epoch, coalesce(n.epoch = t.epoch, false), p.prefix, p.highest, p.missing_from,
           p.missing_to, coalesce(c.stored, 0)::int, coalesce(c.known, 0)::int
    FROM pg_temp.batch_stream t
    JOIN spotter.node n USING (node_id)
    JOIN spotter.stream s ON s.node_id = t.node_id AND s.epoch = t.epoch
    CROSS JOIN LATERAL spotter.positions(s.received) p
    LEFT JOIN (SELECT b.node_id, b.epoch, count(*) FILTER (WHERE b.written) AS stored,
                      count(*) FILTER (WHERE NOT b.written) AS known
               FROM pg_temp.batch_record b GROUP BY b.node_id, b.epoch) c
           ON c.node_id = t.node_id AND c.epoch = t.epoch;
END
$$;

CREATE OR REPLACE FUNCTION spotter.delete_before(moment timestamptz, begins date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    old uuid[];
BEGIN
    DELETE FROM spotter.session_other WHERE started < moment;
    SELECT array_agg(s.id) INTO old
    FROM spotter.site z
    CROSS JOIN LATERAL (SELECT id FROM spotter.session
                        WHERE site_id = z.site_id AND day <= begins AND started < moment OFFSET 0) s;
    DELETE FROM spotter.session WHERE id = ANY (old) AND started < moment;
    DELETE FROM spotter.rollup WHERE started < moment;
    DELETE FROM spotter.workout WHERE started < moment;
    DELETE FROM spotter.rejected WHERE received < moment;
    DELETE FROM spotter.tombstone WHERE deleted < moment;
END
$$;

CREATE VIEW spotter.workout_list WITH (security_invoker = true) AS
SELECT p.site, n.node, w.camera, w.id, w.started, w.ended, w.started AT TIME ZONE p.time_zone AS local_start,
       w.end_reason, w.final, w.plan, w.plan_name, w.name, w.challenge_s, t.steps, t.completed_steps, t.reps
FROM spotter.workout w
LEFT JOIN spotter.site p ON p.site_id = w.site_id
LEFT JOIN spotter.node n ON n.node_id = w.node_id
LEFT JOIN LATERAL (
    SELECT count(*)::int AS steps, (count(*) FILTER (WHERE s.complete))::int AS completed_steps,
           coalesce(sum(s.reps), 0)::int AS reps
    FROM spotter.workout_part s WHERE s.id = w.id AND s.node_id = w.node_id
) t ON true;

CREATE VIEW spotter.workout_step WITH (security_invoker = true) AS
SELECT p.site, n.node, s.id, s.number, s.round, s.action, s.side, s.planned_reps, s.planned_s, s.planned_rest_s,
       s.started, s.ended, s.reps, s.active_s, s.rest_before_s, s.coaching_hint, s.skipped, s.complete
FROM spotter.workout_part s
LEFT JOIN spotter.site p ON p.site_id = s.site_id
LEFT JOIN spotter.node n ON n.node_id = s.node_id;

COMMENT ON VIEW spotter.workout_list IS 'The workouts in their newest revision.';
COMMENT ON COLUMN spotter.workout_list.site IS 'The gym.';
COMMENT ON COLUMN spotter.workout_list.node IS 'The node.';
COMMENT ON COLUMN spotter.workout_list.camera IS 'The camera.';
COMMENT ON COLUMN spotter.workout_list.id IS 'The id of the workout.';
COMMENT ON COLUMN spotter.workout_list.started IS 'When it was started.';
COMMENT ON COLUMN spotter.workout_list.ended IS 'When it ended, or when something last happened in it.';
COMMENT ON COLUMN spotter.workout_list.local_start IS 'When it was started, in the gym''s time zone.';
COMMENT ON COLUMN spotter.workout_list.end_reason IS 'Why it ended; none while it goes on.';
COMMENT ON COLUMN spotter.workout_list.final IS 'Whether it has ended.';
COMMENT ON COLUMN spotter.workout_list.plan IS 'The id of the plan.';
COMMENT ON COLUMN spotter.workout_list.plan_name IS 'The plan, as people see it.';
COMMENT ON COLUMN spotter.workout_list.name IS 'What somebody typed; nobody is recognised. None without a name.';
COMMENT ON COLUMN spotter.workout_list.challenge_s IS 'The seconds of a challenge; none for a usual plan.';
COMMENT ON COLUMN spotter.workout_list.steps IS 'Steps of all rounds.';
COMMENT ON COLUMN spotter.workout_list.completed_steps IS 'Steps in which everything was done that was planned.';
COMMENT ON COLUMN spotter.workout_list.reps IS 'Repetitions of all steps.';

COMMENT ON VIEW spotter.workout_step IS 'The steps of the workouts: planned and done.';
COMMENT ON COLUMN spotter.workout_step.site IS 'The gym.';
COMMENT ON COLUMN spotter.workout_step.node IS 'The node.';
COMMENT ON COLUMN spotter.workout_step.id IS 'The id of the workout.';
COMMENT ON COLUMN spotter.workout_step.number IS 'The step, from 1.';
COMMENT ON COLUMN spotter.workout_step.round IS 'The round, from 1.';
COMMENT ON COLUMN spotter.workout_step.action IS 'The exercise.';
COMMENT ON COLUMN spotter.workout_step.side IS 'left or right; none for both.';
COMMENT ON COLUMN spotter.workout_step.planned_reps IS 'Planned repetitions; none for another kind of step.';
COMMENT ON COLUMN spotter.workout_step.planned_s IS 'Planned seconds of exercise; none for another kind of step.';
COMMENT ON COLUMN spotter.workout_step.planned_rest_s IS 'Planned seconds of rest after it.';
COMMENT ON COLUMN spotter.workout_step.started IS 'When its exercise was recognised first; none before.';
COMMENT ON COLUMN spotter.workout_step.ended IS 'When it was complete or broken off; none before.';
COMMENT ON COLUMN spotter.workout_step.reps IS 'Repetitions.';
COMMENT ON COLUMN spotter.workout_step.active_s IS 'Seconds in which the exercise was recognised.';
COMMENT ON COLUMN spotter.workout_step.rest_before_s IS 'Seconds since the end of the step before.';
COMMENT ON COLUMN spotter.workout_step.coaching_hint IS 'A hint, 0 to 100; none where too little was seen.';
COMMENT ON COLUMN spotter.workout_step.skipped IS 'Whether somebody skipped it.';
COMMENT ON COLUMN spotter.workout_step.complete IS 'Whether everything was done that was planned.';

-- Rights, as in 0009.
GRANT SELECT, INSERT, UPDATE, DELETE ON spotter.workout, spotter.workout_part TO spotter_sink;
GRANT SELECT ON spotter.workout, spotter.workout_part TO spotter_reader;
GRANT SELECT ON spotter.workout_list, spotter.workout_step TO spotter_reader, spotter_sink;
REVOKE ALL ON FUNCTION spotter.batch_workouts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spotter.batch_workouts TO spotter_sink;
DO $$
DECLARE
    relation text;
BEGIN
    FOREACH relation IN ARRAY ARRAY['workout', 'workout_part'] LOOP
        EXECUTE format('ALTER TABLE spotter.%I ENABLE ROW LEVEL SECURITY', relation);
        EXECUTE format('CREATE POLICY sink ON spotter.%I TO spotter_sink USING (true) WITH CHECK (true)', relation);
        EXECUTE format('CREATE POLICY reader ON spotter.%I FOR SELECT TO spotter_reader USING
                        (site_id = ANY (ARRAY(SELECT s.site_id FROM spotter.site s)))', relation);
        EXECUTE format('CREATE POLICY reader_all ON spotter.%I FOR SELECT TO spotter_reader_all USING (true)',
                       relation);
    END LOOP;
END
$$;
