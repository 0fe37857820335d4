-- Takes the bodies of the records apart, by the names in them, into the temporary tables that the next steps read. The
-- sink has checked each body against the contract's schema, so every value fits its column.

-- The frames of all reasons together, or the largest number that there is room for.
CREATE FUNCTION spotter.sum_frames(frames jsonb) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT least(sum(value::bigint), 2147483647)::int FROM jsonb_each_text(frames)
$$;

CREATE FUNCTION spotter.batch_unpack() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    -- A second call in one transaction takes the same bodies apart once more.
    DELETE FROM pg_temp.incoming_record;
    DELETE FROM pg_temp.incoming_action;
    DELETE FROM pg_temp.incoming_set;
    DELETE FROM pg_temp.incoming_workout;
    DELETE FROM pg_temp.incoming_step;
    INSERT INTO pg_temp.incoming_record
        (line, site, node, epoch, seq, type, id, rev, final, made, synced, deleted, camera, started, ended, end_reason,
         model, fps, zone, excluded, gap_epoch, from_seq, to_seq, gap_reason, gap_records, absence_reason)
    SELECT m.line, m.site, m.node, m.epoch, m.seq, m.type, m.id, m.rev, m.final, m.made, m.synced, m.deleted, b.camera,
           b.start, b."end", b.end_reason, b.model, b.fps, b.zone, spotter.sum_frames(b.excluded_frames), b.epoch,
           b.from_seq, b.to_seq, CASE WHEN m.type = 'gap' THEN b.reason END, b.records,
           CASE WHEN m.type = 'absence' THEN b.reason END
    FROM pg_temp.incoming_message m
    CROSS JOIN LATERAL jsonb_to_record(m.body) AS b (
        camera text, start timestamptz, "end" timestamptz, end_reason text, model text, fps real, zone text,
        excluded_frames jsonb, epoch uuid, from_seq bigint, to_seq bigint, reason text, records bigint);

    INSERT INTO pg_temp.incoming_action (line, label, frames, seconds, reps, confidence)
    SELECT m.line, a.label, a.frames, a.seconds, a.reps, a.conf_mean
    FROM pg_temp.incoming_message m
    CROSS JOIN LATERAL jsonb_to_recordset(m.body->'actions') AS a (
        label text, frames int, seconds real, reps int, conf_mean real);

    INSERT INTO pg_temp.incoming_set
        (line, number, label, started, ended, reps, rest_s, coaching_hint, zone, recognised_label, recognised_reps)
    SELECT m.line, s.number, s.label, s.start, s."end", s.reps, s.rest_s, s.coaching_hint, s.zone,
           s.corrected->>'label', (s.corrected->>'reps')::int
    FROM pg_temp.incoming_message m
    CROSS JOIN LATERAL jsonb_to_recordset(m.body->'sets') AS s (
        number int, label text, start timestamptz, "end" timestamptz, reps int, rest_s real, coaching_hint int,
        zone text, corrected jsonb);

    IF NOT EXISTS (SELECT FROM pg_temp.incoming_message WHERE type = 'workout') THEN RETURN; END IF;
    INSERT INTO pg_temp.incoming_workout (line, plan, plan_name, name, challenge_s)
    SELECT m.line, w.plan, w.plan_name, w.name, w.challenge_s
    FROM pg_temp.incoming_message m
    CROSS JOIN LATERAL jsonb_to_record(m.body) AS w (plan text, plan_name text, name text, challenge_s real)
    WHERE m.type = 'workout';

    INSERT INTO pg_temp.incoming_step
        (line, number, round, action, side, planned_reps, planned_s, planned_rest_s, started, ended, reps, active_s,
         rest_before_s, coaching_hint, skipped, complete, measured, cues, pain)
    SELECT m.line, step.number, s.round, s.action, s.side, s.planned_reps, s.planned_s, s.planned_rest_s, s.start,
           s."end", s.reps, s.seconds, s.rest_before_s, s.coaching_hint, s.skipped, s.complete, s.measured, s.cues,
           s.pain
    FROM pg_temp.incoming_message m
    CROSS JOIN LATERAL jsonb_array_elements(m.body->'steps') WITH ORDINALITY AS step (body, number)
    CROSS JOIN LATERAL jsonb_to_record(step.body) AS s (
        round int, action text, side text, planned_reps int, planned_s real, planned_rest_s real, start timestamptz,
        "end" timestamptz, reps int, seconds real, rest_before_s real, coaching_hint int, skipped bool, complete bool,
        measured jsonb, cues jsonb, pain int)
    WHERE m.type = 'workout';
END
$$;
