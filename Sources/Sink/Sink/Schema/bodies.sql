-- Takes the bodies of the records apart, by the names in them, into the temporary tables that the next steps read. The
-- sink has checked each body against the contract's schema, so every value fits its column.

-- The frames of all reasons together, or the largest number that there is room for. The sum of no reasons is NULL in SQL,
-- and least() passes over a NULL, so it must be made 0 first.
CREATE FUNCTION spotter.sum_frames(frames jsonb) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT least(coalesce(sum(value::bigint), 0), 2147483647)::int FROM jsonb_each_text(frames)
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

    INSERT INTO pg_temp.incoming_action
    SELECT a.* FROM pg_temp.incoming_message m
    CROSS JOIN LATERAL jsonb_populate_recordset(
        jsonb_populate_record(NULL::pg_temp.incoming_action, jsonb_build_object('line', m.line)),
        m.body->'actions') AS a;

    INSERT INTO pg_temp.incoming_set
    SELECT s.* FROM pg_temp.incoming_message m
    CROSS JOIN LATERAL jsonb_populate_recordset(
        jsonb_populate_record(NULL::pg_temp.incoming_set, jsonb_build_object('line', m.line)),
        m.body->'sets') AS s;

    IF NOT EXISTS (SELECT FROM pg_temp.incoming_message WHERE type = 'workout') THEN RETURN; END IF;
    INSERT INTO pg_temp.incoming_workout
    SELECT w.* FROM pg_temp.incoming_message m
    CROSS JOIN LATERAL jsonb_populate_record(
        jsonb_populate_record(NULL::pg_temp.incoming_workout, jsonb_build_object('line', m.line)), m.body) AS w
    WHERE m.type = 'workout';

    INSERT INTO pg_temp.incoming_step
    SELECT s.* FROM pg_temp.incoming_message m
    CROSS JOIN LATERAL jsonb_array_elements(m.body->'steps') WITH ORDINALITY AS step (body, number)
    CROSS JOIN LATERAL jsonb_populate_record(
        jsonb_populate_record(
            NULL::pg_temp.incoming_step, jsonb_build_object('line', m.line, 'number', step.number)),
        step.body) AS s
    WHERE m.type = 'workout';
END
$$;
