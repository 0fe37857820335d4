-- What was measured and said in the steps of workouts, and the pain that was stated after them.
ALTER TABLE spotter.workout_part ADD COLUMN measured jsonb, ADD COLUMN cues jsonb, ADD COLUMN pain int;

CREATE OR REPLACE FUNCTION spotter.batch_workouts() RETURNS void LANGUAGE plpgsql AS $$
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
         reps, active_s, rest_before_s, coaching_hint, skipped, complete, measured, cues, pain)
    SELECT b.id, b.node_id, b.site_id, t.number, t.round, t.action, t.side, t.planned_reps, t.planned_s,
           t.planned_rest_s, t.started, t.ended, t.reps, t.active_s, t.rest_before_s, t.coaching_hint, t.skipped,
           t.complete, t.measured, t.cues, t.pain
    FROM pg_temp.batch_record b JOIN pg_temp.incoming_step t USING (line)
    WHERE b.workout AND b.written;

    DELETE FROM spotter.rejected
    WHERE ids && (SELECT coalesce(array_agg(b.id), '{}')
                  FROM pg_temp.batch_record b JOIN pg_temp.incoming_workout w USING (line)
                  WHERE b.workout AND b.written AND w.name IS NULL);
END
$$;

CREATE OR REPLACE VIEW spotter.workout_step WITH (security_invoker = true) AS
SELECT p.site, n.node, s.id, s.number, s.round, s.action, s.side, s.planned_reps, s.planned_s, s.planned_rest_s,
       s.started, s.ended, s.reps, s.active_s, s.rest_before_s, s.coaching_hint, s.skipped, s.complete,
       s.measured -> 'range' ->> 'measure' AS range_measure, (s.measured -> 'range' ->> 'value')::float8 AS range_value,
       (s.measured -> 'range' ->> 'uncertainty')::float8 AS range_uncertainty,
       s.measured -> 'range' ->> 'unit' AS range_unit, (s.measured -> 'tempo' ->> 'value')::float8 AS tempo_s,
       (s.measured -> 'tempo' ->> 'uncertainty')::float8 AS tempo_uncertainty_s,
       (s.measured ->> 'whole')::int AS score, (s.measured ->> 'primary')::int AS score_primary,
       (s.measured ->> 'control')::int AS score_control, s.cues, s.pain
FROM spotter.workout_part s
LEFT JOIN spotter.site p ON p.site_id = s.site_id
LEFT JOIN spotter.node n ON n.node_id = s.node_id;

COMMENT ON COLUMN spotter.workout_step.range_measure IS 'What stands for the range of motion; none without a reading.';
COMMENT ON COLUMN spotter.workout_step.range_value IS 'The mean range of motion, in range_unit.';
COMMENT ON COLUMN spotter.workout_step.range_uncertainty IS 'The standard error of range_value.';
COMMENT ON COLUMN spotter.workout_step.range_unit IS 'The unit of range_value.';
COMMENT ON COLUMN spotter.workout_step.tempo_s IS 'The mean seconds of a repetition.';
COMMENT ON COLUMN spotter.workout_step.tempo_uncertainty_s IS 'The standard error of tempo_s.';
COMMENT ON COLUMN spotter.workout_step.score IS 'The whole, 0 to 100; none where too little was seen.';
COMMENT ON COLUMN spotter.workout_step.score_primary IS 'Range and repetitions, 0 to 100.';
COMMENT ON COLUMN spotter.workout_step.score_control IS 'Trunk, symmetry and tempo, 0 to 100.';
COMMENT ON COLUMN spotter.workout_step.cues IS 'What was said, in order.';
COMMENT ON COLUMN spotter.workout_step.pain IS 'The pain that somebody stated after it, 0 to 10.';
