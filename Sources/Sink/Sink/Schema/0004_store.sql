-- Storing a batch: the records themselves, and the function that the sink calls.

-- Deletes sessions and everything that came of them. Their tombstones are there already.
CREATE FUNCTION spotter.erase_sessions(nodes int[], sessions uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH gone AS (
        DELETE FROM spotter.session s USING unnest(nodes, sessions) AS d (node_id, id)
        WHERE s.id = d.id AND s.node_id = d.node_id
        RETURNING s.site_id, s.day
    )
    INSERT INTO spotter.day_mark (site_id, day) SELECT DISTINCT site_id, day FROM gone;
    -- Whichever node a message claimed to come from: an id is nobody else's.
    DELETE FROM spotter.rejected WHERE ids && sessions;
END
$$;

CREATE FUNCTION spotter.batch_deletions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    nodes int[];
    sessions uuid[];
BEGIN
    SELECT array_agg(node_id), array_agg(id) INTO nodes, sessions
    FROM pg_temp.batch_record WHERE tombstone;
    IF nodes IS NULL THEN RETURN; END IF;
    WITH new AS (
        INSERT INTO spotter.tombstone AS t (id, node_id, rev)
        SELECT id, node_id, rev FROM pg_temp.batch_record
        WHERE tombstone ORDER BY id, node_id
        ON CONFLICT (id, node_id) DO UPDATE SET rev = excluded.rev WHERE t.rev < excluded.rev
        RETURNING t.id, t.node_id
    )
    UPDATE pg_temp.batch_record b SET written = true
    FROM new WHERE b.tombstone AND b.id = new.id AND b.node_id = new.node_id;
    PERFORM spotter.erase_sessions(nodes, sessions);
END
$$;

-- The planner expects 1,000 rows of a function, and few of the same query within another: then it would pack the sets
-- of the whole batch once for each session.
CREATE FUNCTION spotter.packed_sets() RETURNS TABLE (line int, sets int[]) LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT t.line, array_agg(
               ARRAY[t.number, label.word_id,
                     spotter.milliseconds(date_part('epoch', t.started - r.started)),
                     spotter.milliseconds(date_part('epoch', t.ended - t.started)), t.reps,
                     spotter.milliseconds(t.rest_s), t.coaching_hint, zone.word_id,
                     recognised.word_id, t.recognised_reps]
               ORDER BY t.started, t.number, t.ended, t.label, t.reps)
    FROM pg_temp.batch_record b
    JOIN pg_temp.incoming_record r ON r.line = b.line
    JOIN pg_temp.incoming_set t ON t.line = b.line
    JOIN pg_temp.batch_word label ON label.site_id = b.site_id AND label.text = t.label
    LEFT JOIN pg_temp.batch_word zone ON zone.site_id = b.site_id AND zone.text = t.zone
    LEFT JOIN pg_temp.batch_word recognised
           ON recognised.site_id = b.site_id AND recognised.text = t.recognised_label
    WHERE b.session
    GROUP BY t.line;
END
$$;

CREATE FUNCTION spotter.packed_actions() RETURNS TABLE (line int, actions int[]) LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT a.line, array_agg(
               ARRAY[label.word_id, a.frames, spotter.milliseconds(a.seconds), a.reps,
                     CASE WHEN a.confidence IS NOT NULL
                          THEN round(least(greatest(a.confidence, 0), 1) * 10000)::int END]
               ORDER BY a.label, a.frames, a.seconds, a.reps)
    FROM pg_temp.batch_record b
    JOIN pg_temp.incoming_action a ON a.line = b.line
    JOIN pg_temp.batch_word label ON label.site_id = b.site_id AND label.text = a.label
    WHERE b.session OR b.rollup
    GROUP BY a.line;
END
$$;

CREATE FUNCTION spotter.batch_sessions() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_temp.batch_record WHERE session) THEN RETURN; END IF;
    -- A revision may move a session to another day: the day that it leaves is recomputed, too.
    INSERT INTO spotter.day_mark (site_id, day)
    SELECT DISTINCT s.site_id, s.day
    FROM pg_temp.batch_record b JOIN spotter.session s ON s.id = b.id AND s.node_id = b.node_id
    WHERE b.session AND s.rev < b.rev
      AND (s.site_id, s.day) <> (b.site_id, b.day);

    WITH new AS (
        INSERT INTO spotter.session AS s
            (id, started, ended, node_id, site_id, day, rev, camera_id, zone_id, model_id, end_reason_id, excluded, fps,
             final, synced, sets, actions)
        SELECT b.id, r.started, r.ended, b.node_id, b.site_id, b.day, b.rev, camera.word_id, zone.word_id,
               model.word_id, reason.word_id, coalesce(r.excluded, 0), r.fps, r.final, r.synced,
               coalesce(p.sets, '{}'), coalesce(a.actions, '{}')
        FROM pg_temp.batch_record b
        JOIN pg_temp.incoming_record r USING (line)
        JOIN pg_temp.batch_word camera ON camera.site_id = b.site_id AND camera.text = r.camera
        LEFT JOIN pg_temp.batch_word zone ON zone.site_id = b.site_id AND zone.text = r.zone
        LEFT JOIN pg_temp.batch_word model ON model.site_id = b.site_id AND model.text = r.model
        LEFT JOIN pg_temp.batch_word reason ON reason.site_id = b.site_id AND reason.text = r.end_reason
        LEFT JOIN spotter.packed_sets() p USING (line)
        LEFT JOIN spotter.packed_actions() a USING (line)
        WHERE b.session
          AND NOT EXISTS (SELECT FROM spotter.tombstone t WHERE t.id = b.id AND t.node_id = b.node_id)
        ORDER BY b.id, b.node_id
        ON CONFLICT (id, node_id) DO UPDATE
        SET (started, ended, site_id, day, rev, camera_id, zone_id, model_id, end_reason_id, excluded, fps, final,
             synced, sets, actions)
            = (excluded.started, excluded.ended, excluded.site_id, excluded.day, excluded.rev, excluded.camera_id,
               excluded.zone_id, excluded.model_id, excluded.end_reason_id, excluded.excluded, excluded.fps,
               excluded.final, excluded.synced, excluded.sets, excluded.actions)
        WHERE s.rev < excluded.rev
        RETURNING s.id, s.node_id
    )
    UPDATE pg_temp.batch_record b SET written = true
    FROM new WHERE b.session AND b.id = new.id AND b.node_id = new.node_id;

    INSERT INTO spotter.day_mark (site_id, day)
    SELECT DISTINCT site_id, day FROM pg_temp.batch_record WHERE written AND session;
END
$$;

CREATE FUNCTION spotter.batch_rollups() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH new AS (
        INSERT INTO spotter.rollup AS s
            (id, started, length_ms, node_id, site_id, rev, camera_id, model_id, fps, synced, actions)
        SELECT b.id, r.started, spotter.milliseconds(date_part('epoch', r.ended - r.started)), b.node_id,
               b.site_id, b.rev, camera.word_id, model.word_id, r.fps, r.synced, coalesce(a.actions, '{}')
        FROM pg_temp.batch_record b
        JOIN pg_temp.incoming_record r USING (line)
        JOIN pg_temp.batch_word camera ON camera.site_id = b.site_id AND camera.text = r.camera
        LEFT JOIN pg_temp.batch_word model ON model.site_id = b.site_id AND model.text = r.model
        LEFT JOIN spotter.packed_actions() a USING (line)
        WHERE b.rollup
        ORDER BY b.id, b.node_id
        ON CONFLICT (id, node_id) DO UPDATE
        SET (started, length_ms, site_id, rev, camera_id, model_id, fps, synced, actions)
            = (excluded.started, excluded.length_ms, excluded.site_id, excluded.rev, excluded.camera_id,
               excluded.model_id, excluded.fps, excluded.synced, excluded.actions)
        WHERE s.rev < excluded.rev
        RETURNING s.id, s.node_id
    )
    UPDATE pg_temp.batch_record b SET written = true
    FROM new WHERE b.rollup AND b.id = new.id AND b.node_id = new.node_id;
END
$$;

CREATE FUNCTION spotter.batch_gaps() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH new AS (
        INSERT INTO spotter.gap AS s (node_id, id, rev, epoch, from_seq, to_seq, records, reason_id, made)
        SELECT b.node_id, b.id, b.rev, coalesce(r.gap_epoch, b.epoch), r.from_seq, r.to_seq, r.gap_records,
               reason.word_id, r.made
        FROM pg_temp.batch_record b
        JOIN pg_temp.incoming_record r USING (line)
        LEFT JOIN pg_temp.batch_word reason ON reason.site_id = b.site_id AND reason.text = r.gap_reason
        WHERE b.gap
        ORDER BY b.node_id, b.id
        ON CONFLICT (node_id, id) DO UPDATE
        SET (rev, epoch, from_seq, to_seq, records, reason_id, made)
            = (excluded.rev, excluded.epoch, excluded.from_seq, excluded.to_seq, excluded.records, excluded.reason_id,
               excluded.made)
        WHERE s.rev < excluded.rev
        RETURNING s.id, s.node_id
    )
    UPDATE pg_temp.batch_record b SET written = true
    FROM new WHERE b.gap AND b.id = new.id AND b.node_id = new.node_id;
END
$$;

CREATE FUNCTION spotter.batch_rejected() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_temp.incoming_rejected) THEN RETURN; END IF;
    INSERT INTO spotter.rejected AS r (received, topic, site, node, reason, payload, ids, times, digest)
    SELECT max(i.received), i.topic, place[1], place[2], min(i.reason), i.payload, named.ids, count(*), d.digest
    FROM pg_temp.incoming_rejected i
    CROSS JOIN LATERAL (SELECT sha256(convert_to(i.topic || E'\n' || coalesce(i.payload, ''), 'UTF8')) AS digest) d
    CROSS JOIN LATERAL (SELECT regexp_match(i.topic, '/v1/([^/]+)/([^/]+)/') AS place) AS places
    CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(DISTINCT name[1]::uuid), '{}') AS ids
        FROM regexp_matches(i.payload, '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}', 'g') AS name
    ) AS named
    -- A deleted session does not come back as a damaged message.
    WHERE NOT EXISTS (SELECT FROM spotter.tombstone t WHERE t.id = ANY (named.ids))
    GROUP BY i.topic, place, i.payload, named.ids, d.digest
    ORDER BY d.digest
    ON CONFLICT (digest) DO UPDATE
    SET received = greatest(r.received, excluded.received), reason = excluded.reason, times = r.times + excluded.times;
    DELETE FROM spotter.rejected
    WHERE rejected_id <= (SELECT max(rejected_id) FROM spotter.rejected) - 100000;
END
$$;
