-- Storing a batch: store_batch, which the sink calls, and its steps in the order in which they run. The last steps
-- store the records and stand in records.sql. COPY has put the batch into the temporary tables of incoming.sql.
--
-- What the sink calls runs with the caller's rights (SECURITY INVOKER), because store_batch reads temporary tables of
-- the caller. With the owner's rights, whoever controls the sink could put a view in their place, and the view's
-- functions would run as the owner. Only what makes and drops partitions runs as the owner (partitions.sql).
--
-- Each step works on the whole batch at once. All steps take their locks in the same order (sites, nodes, words,
-- streams, sessions, each by key), so two sinks cannot block each other for good.
--
-- There are two advisory locks. All batches share 'spotter.batch', and a call that needs no batch under way takes it
-- alone. A call that recomputes sums holds 'spotter.days'. A call that needs both takes 'spotter.days' first.

CREATE FUNCTION spotter.lock_key(name text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashtextextended('spotter.' || name, 0) $$;

-- A statement must see what was committed while it waited for a lock.
CREATE FUNCTION spotter.require_read_committed() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'spotter needs transactions that are READ COMMITTED, not %',
            upper(current_setting('transaction_isolation'));
    END IF;
END
$$;

CREATE FUNCTION spotter.store_batch()
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
    PERFORM spotter.batch_unpack();
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
COMMENT ON FUNCTION spotter.store_batch IS 'Stores the batch in the temporary tables of incoming.sql.';

-- New sites and nodes, and the site from which each node was heard last.
CREATE FUNCTION spotter.batch_places() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO spotter.site (site)
    SELECT b.site FROM (SELECT site FROM pg_temp.incoming_record UNION SELECT site FROM pg_temp.incoming_node) b
    WHERE NOT EXISTS (SELECT FROM spotter.site s WHERE s.site = b.site)
    ORDER BY b.site
    ON CONFLICT DO NOTHING;

    INSERT INTO spotter.node (node, site_id)
    SELECT DISTINCT ON (b.node) b.node, s.site_id
    FROM (SELECT line, site, node FROM pg_temp.incoming_record
          UNION ALL SELECT line, site, node FROM pg_temp.incoming_node) b
    JOIN spotter.site s ON s.site = b.site
    WHERE NOT EXISTS (SELECT FROM spotter.node n WHERE n.node = b.node)
    ORDER BY b.node, b.line DESC
    ON CONFLICT DO NOTHING;

    -- From here on this batch is alone with its nodes: what it reads of them and of their sessions stays true.
    PERFORM FROM spotter.node n
    WHERE n.node IN (SELECT node FROM pg_temp.incoming_record UNION SELECT node FROM pg_temp.incoming_node)
    ORDER BY n.node_id
    FOR NO KEY UPDATE;

    UPDATE spotter.node n SET site_id = heard.site_id
    FROM (SELECT DISTINCT ON (b.node) b.node, s.site_id
          FROM (SELECT line, site, node FROM pg_temp.incoming_record
                UNION ALL SELECT line, site, node FROM pg_temp.incoming_node) b
          JOIN spotter.site s ON s.site = b.site
          ORDER BY b.node, b.line DESC) heard
    WHERE n.node = heard.node AND n.site_id <> heard.site_id;
END
$$;

-- What a node says of the time zone counts when it changes, so two nodes that disagree do not turn it to and fro. A
-- time zone that PostgreSQL does not know is noted with the node that named it, and the gym's days stay as they are.
CREATE FUNCTION spotter.batch_time_zones() RETURNS void LANGUAGE plpgsql AS $$
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
    -- PostgreSQL reads its names from files, so it is asked only where somebody says something new.
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

-- An epoch that a node wrote; NULL if it is none.
CREATE FUNCTION spotter.as_uuid(written text) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN written ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' THEN written::uuid END
$$;

-- Status and info are retained, so they come again whenever the sink connects. Only what is new is a sign of life. The
-- order of arrival decides, and not the time, because the sink's clock may have gone back.
CREATE FUNCTION spotter.batch_reports() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE spotter.node n
    SET status = r.body, status_received = r.received,
        heard = CASE WHEN r.body->>'state' = 'offline' THEN n.heard ELSE r.received END
    FROM (SELECT DISTINCT ON (node) node, received, body FROM pg_temp.incoming_node WHERE kind = 'status'
          ORDER BY node, line DESC) r
    WHERE n.node = r.node AND n.status IS DISTINCT FROM r.body
      -- The last will of an earlier connection may come late.
      AND NOT coalesce(r.body->>'state' = 'offline' AND jsonb_typeof(r.body->'sid') = 'number'
                       AND jsonb_typeof(n.status->'sid') = 'number'
                       AND (r.body->>'sid')::numeric < (n.status->>'sid')::numeric, false);

    UPDATE spotter.node n
    SET info = r.body, info_received = r.received, heard = r.received,
        epoch = coalesce(spotter.as_uuid(r.body->>'epoch'), n.epoch),
        epoch_told = n.epoch_told OR spotter.as_uuid(r.body->>'epoch') IS NOT NULL
    FROM (SELECT DISTINCT ON (node) node, received, body FROM pg_temp.incoming_node WHERE kind = 'info'
          ORDER BY node, line DESC) r
    WHERE n.node = r.node AND n.info IS DISTINCT FROM r.body;

    UPDATE spotter.node n
    SET health = r.body, health_received = r.received, heard = r.received
    FROM (SELECT DISTINCT ON (node) node, received, body FROM pg_temp.incoming_node WHERE kind = 'health'
          ORDER BY node, line DESC) r
    WHERE n.node = r.node;
END
$$;

-- Of several revisions in a batch the highest wins, of equal ones the first. A deletion wins over all of them.
CREATE FUNCTION spotter.batch_records() RETURNS void LANGUAGE plpgsql AS $$
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

-- The words that the records use, each with its number.
CREATE FUNCTION spotter.batch_words() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pg_temp.batch_word
    SELECT used.site_id, used.text, w.word_id
    FROM (SELECT b.site_id, words.text
          FROM pg_temp.batch_record b JOIN pg_temp.incoming_record r USING (line)
          CROSS JOIN LATERAL (VALUES (r.camera), (r.end_reason), (r.model), (r.zone), (r.gap_reason)) AS words (text)
          WHERE b.session OR b.rollup OR b.gap
          UNION
          SELECT b.site_id, a.label FROM pg_temp.batch_record b JOIN pg_temp.incoming_action a USING (line)
          WHERE b.session OR b.rollup
          UNION
          SELECT b.site_id, words.text
          FROM pg_temp.batch_record b JOIN pg_temp.incoming_set t USING (line)
          CROSS JOIN LATERAL (VALUES (t.label), (t.zone), (t.corrected->>'label')) AS words (text)
          WHERE b.session) used
    LEFT JOIN spotter.word w ON w.site_id = used.site_id AND w.text = used.text
    WHERE used.text IS NOT NULL;

    IF EXISTS (SELECT FROM pg_temp.batch_word WHERE word_id IS NULL) THEN
        INSERT INTO spotter.word (site_id, text)
        SELECT site_id, text FROM pg_temp.batch_word WHERE word_id IS NULL ORDER BY site_id, text
        ON CONFLICT DO NOTHING;
        UPDATE pg_temp.batch_word b SET word_id = w.word_id
        FROM spotter.word w WHERE b.word_id IS NULL AND w.site_id = b.site_id AND w.text = b.text;
    END IF;
END
$$;

-- A row must not grow without end, and a position that was forgotten is asked for again. So of a node that leaves a
-- hole after every record only the lowest 4,096 ranges are remembered.
CREATE FUNCTION spotter.limited(positions int8multirange) RETURNS int8multirange
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(range_agg(part), '{}') FROM (SELECT part FROM unnest(positions) AS part ORDER BY part LIMIT 4096) p
$$;

-- What a set of received positions means. Positions begin at 1.
CREATE FUNCTION spotter.positions(received int8multirange)
RETURNS TABLE (prefix bigint, highest bigint, missing_from bigint, missing_to bigint, missing bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(lower(holes), top) - 1, top - 1, lower(holes), first_end - 1, coalesce(missing, 0)
    FROM (SELECT coalesce(upper(received), 1) AS top) AS t
    CROSS JOIN LATERAL (SELECT int8multirange(int8range(1, top)) - received AS holes) AS h
    LEFT JOIN LATERAL (
        SELECT min(upper(hole)) AS first_end, sum(upper(hole) - lower(hole))::bigint AS missing
        FROM unnest(holes) AS hole
    ) AS m ON true
$$;

-- Which positions have come or were declared lost. Positions above 2^62 are not counted: they would leave no room for
-- the next one, and no node gets there.
CREATE FUNCTION spotter.batch_positions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    last_position CONSTANT bigint := 4611686018427387904;
BEGIN
    INSERT INTO pg_temp.batch_stream
    SELECT touched.node_id, touched.epoch, (array_agg(touched.site ORDER BY touched.line DESC))[1], min(touched.line),
           NOT EXISTS (SELECT FROM spotter.stream s WHERE s.node_id = touched.node_id AND s.epoch = touched.epoch)
    FROM (SELECT b.node_id, b.epoch, r.site, r.line
          FROM pg_temp.batch_record b JOIN pg_temp.incoming_record r USING (line)
          UNION ALL
          SELECT b.node_id, r.gap_epoch, r.site, r.line
          FROM pg_temp.batch_record b JOIN pg_temp.incoming_record r USING (line)
          WHERE r.type = 'gap' AND r.gap_epoch IS NOT NULL
          UNION ALL
          SELECT n.node_id, spotter.as_uuid(i.body->>'epoch'), i.site, i.line
          FROM pg_temp.incoming_node i JOIN spotter.node n ON n.node = i.node
          WHERE i.kind = 'info' AND spotter.as_uuid(i.body->>'epoch') IS NOT NULL) touched
    GROUP BY touched.node_id, touched.epoch;

    INSERT INTO spotter.stream AS s (node_id, epoch, received, newest, last_made, lag_s, last_stored)
    SELECT t.node_id, t.epoch, spotter.limited(coalesce(p.received, '{}')), coalesce(p.newest, 0), p.made,
           extract(epoch FROM now() - p.made), CASE WHEN p.newest IS NOT NULL THEN now() END
    FROM pg_temp.batch_stream t
    LEFT JOIN (
        SELECT node_id, epoch, range_agg(positions) AS received, max(seq) AS newest,
               (array_agg(made ORDER BY seq DESC) FILTER (WHERE seq IS NOT NULL))[1] AS made
        FROM (SELECT b.node_id, b.epoch, int8range(r.seq, r.seq, '[]') AS positions, r.seq, r.made
              FROM pg_temp.batch_record b JOIN pg_temp.incoming_record r USING (line)
              WHERE r.seq BETWEEN 1 AND last_position
              UNION ALL
              SELECT b.node_id, coalesce(r.gap_epoch, b.epoch),
                     int8range(greatest(r.from_seq, 1), least(r.to_seq, last_position), '[]'), NULL, NULL
              FROM pg_temp.batch_record b JOIN pg_temp.incoming_record r USING (line)
              WHERE r.type = 'gap' AND greatest(r.from_seq, 1) <= least(r.to_seq, last_position)) came
        GROUP BY node_id, epoch) p USING (node_id, epoch)
    ORDER BY t.node_id, t.epoch
    ON CONFLICT (node_id, epoch) DO UPDATE
    SET received = spotter.limited(s.received + excluded.received), newest = greatest(s.newest, excluded.newest),
        last_made = CASE WHEN excluded.newest >= s.newest THEN excluded.last_made ELSE s.last_made END,
        lag_s = CASE WHEN excluded.newest >= s.newest THEN excluded.lag_s ELSE s.lag_s END,
        last_stored = coalesce(excluded.last_stored, s.last_stored);

    UPDATE spotter.node n SET epoch = newest.epoch
    FROM (SELECT DISTINCT ON (node_id) node_id, epoch FROM pg_temp.batch_stream
          WHERE is_new ORDER BY node_id, first_line DESC) newest
    WHERE n.node_id = newest.node_id AND NOT n.epoch_told;
END
$$;
