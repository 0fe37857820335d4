-- Storing a batch: the last steps of store_batch, which store the records, in the order in which they run. Each step
-- stores what is new or has a higher revision, and marks it as written.

-- Deletes sessions and everything that came of them. Their tombstones are there already.
CREATE FUNCTION spotter.erase_sessions(nodes int[], sessions uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH gone AS (
        DELETE FROM spotter.session s USING unnest(nodes, sessions) AS d (node_id, id)
        WHERE s.id = d.id AND s.node_id = d.node_id
        RETURNING s.site_id, s.day
    )
    INSERT INTO spotter.day_mark (site_id, day) SELECT DISTINCT site_id, day FROM gone;
    -- An id is nobody else's, so it does not matter from which node a message claimed to come.
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

-- For an administrator. The node cannot bring the session back, but it keeps its own copy: delete it there, too.
CREATE FUNCTION spotter.forget_session(node text, id uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    place int;
    was_there boolean;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(spotter.lock_key('batch'));
    SELECT n.node_id INTO place FROM spotter.node n WHERE n.node = forget_session.node FOR NO KEY UPDATE;
    IF place IS NULL THEN
        RAISE EXCEPTION 'no node "%"', node;
    END IF;
    was_there := EXISTS (SELECT FROM spotter.session s WHERE s.id = forget_session.id AND s.node_id = place);
    INSERT INTO spotter.tombstone (id, node_id, rev) VALUES (forget_session.id, place, 2147483647)
    ON CONFLICT ON CONSTRAINT tombstone_pkey DO UPDATE SET rev = excluded.rev;
    PERFORM spotter.erase_sessions(ARRAY[place], ARRAY[forget_session.id]);
    RETURN was_there;
END
$$;
COMMENT ON FUNCTION spotter.forget_session IS 'Deletes a session for good; says whether it was there.';

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

-- The steps of a workout are replaced as a whole.
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
         reps, active_s, rest_before_s, score, skipped, complete, measured, cues, pain)
    SELECT b.id, b.node_id, b.site_id, t.number, t.round, t.action, t.side, t.planned_reps, t.planned_s,
           t.planned_rest_s, t.start, t."end", t.reps, t.seconds, t.rest_before_s, t.score, t.skipped,
           t.complete, t.measured, t.cues, t.pain
    FROM pg_temp.batch_record b JOIN pg_temp.incoming_step t USING (line)
    WHERE b.workout AND b.written;

    -- A name that was removed does not stay in messages that were rejected.
    DELETE FROM spotter.rejected
    WHERE ids && (SELECT coalesce(array_agg(b.id), '{}')
                  FROM pg_temp.batch_record b JOIN pg_temp.incoming_workout w USING (line)
                  WHERE b.workout AND b.written AND w.name IS NULL);
END
$$;

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

-- Messages that did not fit their schema. The newest 100,000 are kept.
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
