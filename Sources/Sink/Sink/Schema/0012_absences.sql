-- Absences: times in which a camera delivered no pictures. There are few of them, so they are plain rows. And time zones
-- of nodes that PostgreSQL does not know, which are told instead of passed over.
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

CREATE FUNCTION spotter.batch_absences() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_temp.batch_record WHERE absence) THEN RETURN; END IF;
    WITH new AS (
        INSERT INTO spotter.absence AS s (id, node_id, site_id, rev, camera, started, ended, reason, final, synced)
        SELECT b.id, b.node_id, b.site_id, b.rev, r.camera, r.started, r.ended, r.absence_reason, r.final, r.synced
        FROM pg_temp.batch_record b
        JOIN pg_temp.incoming_record r USING (line)
        WHERE b.absence
        ORDER BY b.id, b.node_id
        ON CONFLICT (id, node_id) DO UPDATE
        SET (site_id, rev, camera, started, ended, reason, final, synced)
            = (excluded.site_id, excluded.rev, excluded.camera, excluded.started, excluded.ended, excluded.reason,
               excluded.final, excluded.synced)
        WHERE s.rev < excluded.rev
        RETURNING s.id, s.node_id
    )
    UPDATE pg_temp.batch_record b SET written = true
    FROM new WHERE b.absence AND b.id = new.id AND b.node_id = new.node_id;
END
$$;

CREATE OR REPLACE FUNCTION spotter.batch_records() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pg_temp.batch_record
        (line, node_id, site_id, epoch, id, rev, day, session, tombstone, rollup, gap, workout, absence, written)
    SELECT line, node_id, site_id, epoch, id, rev, (started AT TIME ZONE time_zone)::date,
           wins AND NOT dead AND type = 'session', wins AND dead AND type = 'session',
           wins AND NOT dead AND type = 'rollup', wins AND NOT dead AND type = 'gap',
           wins AND NOT dead AND type = 'workout', wins AND NOT dead AND type = 'absence', false
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
    PERFORM spotter.batch_absences();
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
    -- One that lasts is kept, however long ago it began.
    DELETE FROM spotter.absence WHERE ended < moment;
    DELETE FROM spotter.rejected WHERE received < moment;
    DELETE FROM spotter.tombstone WHERE deleted < moment;
END
$$;

-- A camera has one absence at a time. So one without an end before another one has ended, too: its end was lost, with
-- the history of the node.
CREATE VIEW spotter.absence_list WITH (security_invoker = true) AS
SELECT p.site, n.node, a.camera, a.id, a.started, a.ended, a.started AT TIME ZONE p.time_zone AS local_start,
       a.ended AT TIME ZONE p.time_zone AS local_end, a.reason, o.lasts,
       CASE WHEN a.ended IS NOT NULL OR o.lasts
            THEN greatest(extract(epoch FROM coalesce(a.ended, now()) - a.started), 0)::float8 END AS seconds
FROM spotter.absence a
LEFT JOIN spotter.site p ON p.site_id = a.site_id
LEFT JOIN spotter.node n ON n.node_id = a.node_id
CROSS JOIN LATERAL (
    SELECT a.ended IS NULL AND NOT EXISTS (
               SELECT FROM spotter.absence later
               WHERE later.node_id = a.node_id AND later.camera = a.camera
                 AND (later.started, later.id) > (a.started, a.id)) AS lasts
) o;

COMMENT ON VIEW spotter.absence_list IS 'Times in which a camera delivered no pictures.';
COMMENT ON COLUMN spotter.absence_list.site IS 'The gym.';
COMMENT ON COLUMN spotter.absence_list.node IS 'The node.';
COMMENT ON COLUMN spotter.absence_list.camera IS 'The camera.';
COMMENT ON COLUMN spotter.absence_list.id IS 'The id of the absence.';
COMMENT ON COLUMN spotter.absence_list.started IS 'When the pictures ceased.';
COMMENT ON COLUMN spotter.absence_list.ended IS 'When they came again; none while they are missing.';
COMMENT ON COLUMN spotter.absence_list.local_start IS 'When they ceased, in the gym''s time zone.';
COMMENT ON COLUMN spotter.absence_list.local_end IS 'When they came again, in the gym''s time zone.';
COMMENT ON COLUMN spotter.absence_list.reason IS 'switched_off, or why there were none, such as unplugged.';
COMMENT ON COLUMN spotter.absence_list.lasts IS
    'Whether pictures are still missing. The time in which the node itself was off has no row.';
COMMENT ON COLUMN spotter.absence_list.seconds IS 'How long, until now while it lasts; none where the end was lost.';

-- A time zone that PostgreSQL does not know stands with the node that named it, and the gym's days stay as they are.
ALTER TABLE spotter.node ADD COLUMN zone_problem text;
COMMENT ON COLUMN spotter.node.zone_problem IS
    'The time zone that it named last, if PostgreSQL does not know it: then the gym''s stays as it was.';

CREATE OR REPLACE FUNCTION spotter.batch_time_zones() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    lines int[];
    unknown text[];
BEGIN
    SELECT array_agg(told.line) INTO lines
    FROM (SELECT DISTINCT ON (i.node) i.line, i.body->'tz' AS zone, n.info->'tz' AS before
          FROM pg_temp.incoming_node i JOIN spotter.node n ON n.node = i.node
          WHERE i.kind = 'info'
          ORDER BY i.node, i.line DESC) told
    WHERE told.zone IS DISTINCT FROM told.before;
    -- The list of names is read from files: only where somebody says something new.
    IF lines IS NULL THEN RETURN; END IF;
    SELECT coalesce(array_agg(strange.zone), '{}') INTO unknown
    FROM (SELECT DISTINCT i.body->>'tz' AS zone
          FROM pg_temp.incoming_node i JOIN spotter.site s ON s.site = i.site
          WHERE i.line = ANY (lines) AND i.kind = 'info' AND jsonb_typeof(i.body->'tz') = 'string'
            AND i.body->>'tz' <> s.time_zone) strange
    WHERE NOT spotter.is_time_zone(strange.zone);

    UPDATE spotter.node n SET zone_problem = told.problem
    FROM (SELECT i.node, CASE WHEN i.body->>'tz' = ANY (unknown) THEN left(i.body->>'tz', 100) END AS problem
          FROM pg_temp.incoming_node i WHERE i.line = ANY (lines) AND i.kind = 'info') told
    WHERE n.node = told.node AND n.zone_problem IS DISTINCT FROM told.problem;

    PERFORM FROM spotter.site
    WHERE site IN (SELECT site FROM pg_temp.incoming_node WHERE line = ANY (lines)) ORDER BY site_id FOR NO KEY UPDATE;
    UPDATE spotter.site s SET time_zone = told.zone
    FROM (SELECT DISTINCT ON (i.site) i.site, i.body->>'tz' AS zone
          FROM pg_temp.incoming_node i
          WHERE i.line = ANY (lines) AND i.kind = 'info' AND jsonb_typeof(i.body->'tz') = 'string'
            AND i.body->>'tz' <> ALL (unknown)
          ORDER BY i.site, i.line DESC) told
    WHERE s.site = told.site AND s.time_zone <> told.zone;
END
$$;

UPDATE spotter.node SET zone_problem = left(info->>'tz', 100)
WHERE jsonb_typeof(info->'tz') = 'string' AND NOT spotter.is_time_zone(info->>'tz');

CREATE OR REPLACE VIEW spotter.node_health WITH (security_invoker = true) AS
SELECT p.site, n.node, n.info->>'name' AS name, coalesce(n.status->>'state', 'unknown') AS state,
       coalesce(spotter.moment(n.status->'ts'), n.status_received) AS since, n.info->>'sw' AS version,
       n.info->'model'->>'id' AS model, seen.last_seen,
       greatest(extract(epoch FROM now() - seen.last_seen), 0)::float8 AS seconds_silent,
       coalesce(told.problems, 0)::int AS problems, told.codes AS problem_codes,
       spotter.number(n.health->'outbox'->'pending')::bigint AS outbox_pending,
       spotter.number(n.health->'cpu_pct')::real AS cpu_pct, spotter.number(n.health->'temp_c')::real AS temp_c,
       spotter.number(n.health->'disk_free_mb')::bigint AS disk_free_mb,
       p.time_zone, n.zone_problem
FROM spotter.node n
JOIN spotter.site p USING (site_id)
CROSS JOIN LATERAL (
    SELECT greatest(n.heard, (SELECT max(s.last_stored) FROM spotter.stream s WHERE s.node_id = n.node_id)) AS last_seen
) AS seen
LEFT JOIN LATERAL (
    SELECT count(*) AS problems, string_agg(DISTINCT problem->>'code', ', ') AS codes
    FROM jsonb_array_elements(
        CASE WHEN jsonb_typeof(n.health->'problems') = 'array' THEN n.health->'problems' ELSE '[]' END) AS problem
) AS told ON true;

COMMENT ON COLUMN spotter.node_health.time_zone IS 'The gym''s time zone.';
COMMENT ON COLUMN spotter.node_health.zone_problem IS
    'The time zone that the node named, if PostgreSQL does not know it: the gym''s days do not follow it.';

-- Rights, as in 0009.
GRANT SELECT, INSERT, UPDATE ON spotter.absence TO spotter_sink;
GRANT SELECT ON spotter.absence TO spotter_reader;
GRANT SELECT ON spotter.absence_list TO spotter_reader, spotter_sink;
REVOKE ALL ON FUNCTION spotter.batch_absences FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spotter.batch_absences TO spotter_sink;
ALTER TABLE spotter.absence ENABLE ROW LEVEL SECURITY;
CREATE POLICY sink ON spotter.absence TO spotter_sink USING (true) WITH CHECK (true);
CREATE POLICY reader ON spotter.absence FOR SELECT TO spotter_reader USING
    (site_id = ANY (ARRAY(SELECT s.site_id FROM spotter.site s)));
CREATE POLICY reader_all ON spotter.absence FOR SELECT TO spotter_reader_all USING (true);
