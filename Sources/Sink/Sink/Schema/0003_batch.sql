-- The steps of store_batch. Each reads the tables of incoming.sql. All are set-based, and all take their locks in the
-- same order (sites, nodes, words, streams, sessions, each by key), so two sinks cannot block each other for good.

-- An epoch as a node wrote it, or NULL.
CREATE FUNCTION spotter.as_uuid(written text) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN written ~ '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' THEN written::uuid END
$$;

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

-- A node's word on the time zone counts when it changes, so two nodes that disagree do not turn it to and fro.
CREATE FUNCTION spotter.batch_time_zones() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    sites int[];
    zones text[];
BEGIN
    SELECT array_agg(told.site_id ORDER BY told.site_id), array_agg(told.zone ORDER BY told.site_id) INTO sites, zones
    FROM (SELECT DISTINCT ON (s.site_id) s.site_id, s.time_zone, i.body->>'tz' AS zone
          FROM pg_temp.incoming_node i
          JOIN spotter.site s ON s.site = i.site
          JOIN spotter.node n ON n.node = i.node
          WHERE i.kind = 'info' AND jsonb_typeof(i.body->'tz') = 'string'
            AND n.info->>'tz' IS DISTINCT FROM i.body->>'tz'
          ORDER BY s.site_id, i.line DESC) told
    WHERE told.zone <> told.time_zone;
    -- The list of names is read from files: only where somebody says something new.
    IF sites IS NULL THEN RETURN; END IF;
    PERFORM FROM spotter.site WHERE site_id = ANY (sites) ORDER BY site_id FOR NO KEY UPDATE;
    UPDATE spotter.site s SET time_zone = told.zone
    FROM unnest(sites, zones) AS told (site_id, zone)
    WHERE s.site_id = told.site_id AND spotter.is_time_zone(told.zone);
END
$$;

-- Status and info are retained, so they come again whenever the sink connects. Only what is new is a sign of life. The
-- order of arrival decides, and not the time: the sink's clock may have gone back.
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

-- Of several revisions in a batch the highest wins; of equal ones the first; over all of them a deletion.
CREATE FUNCTION spotter.batch_records() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO pg_temp.batch_record
    SELECT line, node_id, site_id, epoch, id, rev, (started AT TIME ZONE time_zone)::date,
           wins AND NOT dead AND type = 'session', wins AND dead AND type = 'session',
           wins AND NOT dead AND type = 'rollup', wins AND NOT dead AND type = 'gap', false
    FROM (SELECT r.*, n.node_id, s.site_id, s.time_zone, coalesce(r.deleted, false) AS dead,
                 row_number() OVER (PARTITION BY n.node_id, r.type, r.id
                                    ORDER BY coalesce(r.deleted, false) DESC, r.rev DESC, r.line) = 1 AS wins
          FROM pg_temp.incoming_record r
          JOIN spotter.site s ON s.site = r.site
          JOIN spotter.node n ON n.node = r.node) placed;
END
$$;

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
          CROSS JOIN LATERAL (VALUES (t.label), (t.zone), (t.recognised_label)) AS words (text)
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

-- Forgetting positions is safe, as they are asked for again; a row that grows without end is not. So a node that leaves
-- a hole after every record has only its lowest 4,096 ranges remembered.
CREATE FUNCTION spotter.limited(positions int8multirange) RETURNS int8multirange
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(range_agg(part), '{}') FROM (SELECT part FROM unnest(positions) AS part ORDER BY part LIMIT 4096) p
$$;

-- Positions above 2^62 are not counted: they would leave no room for the next, and no node gets there.
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
