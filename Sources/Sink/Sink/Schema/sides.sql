-- Sets have the repetitions of either side of the body. The arrays of earlier records are shorter: their sides are NULL.

DO $$
BEGIN
    ASSERT NOT EXISTS (SELECT FROM information_schema.columns
                       WHERE table_schema = 'spotter' AND table_name = 'session_set' AND column_name = 'left_reps'),
           'sets have sides already';
END
$$;

CREATE OR REPLACE FUNCTION spotter.packed_sets() RETURNS TABLE (line int, sets int[]) LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT t.line, array_agg(
               ARRAY[t.number, label.word_id,
                     spotter.milliseconds(date_part('epoch', t.start - r.started)),
                     spotter.milliseconds(date_part('epoch', t."end" - t.start)), t.reps,
                     spotter.milliseconds(t.rest_s), t.score, zone.word_id,
                     recognised.word_id, (t.corrected->>'reps')::int, round(t.load_kg * 1000)::int,
                     round(t.confidence * 10000)::int, t.reps_margin, round(t.rpe * 10)::int, t.left_reps,
                     t.right_reps]
               ORDER BY t.start, t.number, t."end", t.label, t.reps)
    FROM pg_temp.batch_record b
    JOIN pg_temp.incoming_record r ON r.line = b.line
    JOIN pg_temp.incoming_set t ON t.line = b.line
    JOIN pg_temp.batch_word label ON label.site_id = b.site_id AND label.text = t.label
    LEFT JOIN pg_temp.batch_word zone ON zone.site_id = b.site_id AND zone.text = t.zone
    LEFT JOIN pg_temp.batch_word recognised
           ON recognised.site_id = b.site_id AND recognised.text = t.corrected->>'label'
    WHERE b.session
    GROUP BY t.line;
END
$$;

-- A function's columns cannot change while views read them.
DROP VIEW spotter.session_set, spotter.zone_day;
DROP FUNCTION spotter.unpack_sets;

CREATE FUNCTION spotter.unpack_sets(sets int[])
RETURNS TABLE (number int, label_id int, start_ms int, length_ms int, reps int, rest_ms int, score int,
               zone_id int, recognised_label_id int, recognised_reps int, load_g int, confidence real, reps_margin int,
               rpe float8, left_reps int, right_reps int)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sets[i][1], sets[i][2], sets[i][3], sets[i][4], sets[i][5],
           sets[i][6], sets[i][7], sets[i][8], sets[i][9], sets[i][10], sets[i][11],
           (sets[i][12] / 10000.0)::real, sets[i][13], sets[i][14] / 10.0::float8,
           sets[i][15], sets[i][16]
    FROM unnest(sets[:][1:1]) WITH ORDINALITY AS rows (number, i)
$$;
COMMENT ON FUNCTION spotter.unpack_sets IS 'The sets of a session; start_ms counts from the session''s start.';

CREATE VIEW spotter.session_set WITH (security_invoker = true) AS
SELECT p.site, n.node, s.id, s.day, u.number, label.text AS label,
       s.started + u.start_ms * interval '1 ms' AS started,
       s.started + (u.start_ms::bigint + u.length_ms) * interval '1 ms' AS ended, u.reps,
       u.rest_ms / 1000.0::float8 AS rest_s, u.score, zone.text AS zone,
       recognised.text AS recognised_label, u.recognised_reps, u.load_g / 1000.0::float8 AS load_kg,
       u.confidence, u.reps_margin, u.rpe, u.left_reps, u.right_reps
FROM spotter.session s
CROSS JOIN LATERAL spotter.unpack_sets(s.sets) u
LEFT JOIN spotter.site p ON p.site_id = s.site_id
LEFT JOIN spotter.node n ON n.node_id = s.node_id
LEFT JOIN spotter.word label ON label.word_id = u.label_id
LEFT JOIN spotter.word zone ON zone.word_id = u.zone_id
LEFT JOIN spotter.word recognised ON recognised.word_id = u.recognised_label_id;
COMMENT ON VIEW spotter.session_set IS 'The sets of the sessions.';
COMMENT ON COLUMN spotter.session_set.site IS 'The gym.';
COMMENT ON COLUMN spotter.session_set.node IS 'The node.';
COMMENT ON COLUMN spotter.session_set.id IS 'The id of the session.';
COMMENT ON COLUMN spotter.session_set.day IS 'The day of the session.';
COMMENT ON COLUMN spotter.session_set.number IS 'The person''s number of the set; none in records of early versions.';
COMMENT ON COLUMN spotter.session_set.label IS 'The exercise.';
COMMENT ON COLUMN spotter.session_set.started IS 'When the set began.';
COMMENT ON COLUMN spotter.session_set.ended IS 'When the set ended.';
COMMENT ON COLUMN spotter.session_set.reps IS 'Repetitions.';
COMMENT ON COLUMN spotter.session_set.rest_s IS 'Rest since the session''s previous set; none for its first.';
COMMENT ON COLUMN spotter.session_set.score IS 'The score of its form, 0 to 100. No assessment of safety.';
COMMENT ON COLUMN spotter.session_set.zone IS 'The zone of most of it; none outside all zones.';
COMMENT ON COLUMN spotter.session_set.recognised_label IS 'What was recognised, where a person corrected the set.';
COMMENT ON COLUMN spotter.session_set.recognised_reps IS
    'The repetitions that were recognised, where a person corrected the set.';
COMMENT ON COLUMN spotter.session_set.load_kg IS 'The weight that was moved, kilograms; none where nobody entered it.';
COMMENT ON COLUMN spotter.session_set.confidence IS
    'The probability that the set took place as it was recognised, 0 to 1; none in records of early versions.';
COMMENT ON COLUMN spotter.session_set.reps_margin IS
    'The true number of repetitions lies within so many of reps, in about nine recordings of ten; none where it does not apply.';
COMMENT ON COLUMN spotter.session_set.rpe IS
    'The perceived exertion, 1 to 10 in steps of a half; none where nobody entered it.';
COMMENT ON COLUMN spotter.session_set.left_reps IS
    'Those of reps in which the left side worked; none where no side is known.';
COMMENT ON COLUMN spotter.session_set.right_reps IS 'Those of reps in which the right side worked.';

CREATE VIEW spotter.zone_day WITH (security_invoker = true) AS
SELECT p.site, n.node, camera.text AS camera, zone.text AS zone, u.day, count(*)::int AS uses, sum(u.sets)::int AS sets,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY u.ms) / 1000.0::float8 AS use_s
FROM (
    SELECT s.site_id, s.node_id, s.camera_id, s.day, x.zone_id, count(*) AS sets,
           max(x.start_ms::bigint + x.length_ms) - min(x.start_ms) AS ms
    FROM spotter.session s
    CROSS JOIN LATERAL spotter.unpack_sets(s.sets) x
    JOIN spotter.word label ON label.word_id = x.label_id AND label.text <> 'none'
    WHERE x.zone_id IS NOT NULL
    GROUP BY s.site_id, s.node_id, s.camera_id, s.day, s.id, x.zone_id
) u
JOIN spotter.site p USING (site_id)
JOIN spotter.node n USING (node_id)
JOIN spotter.word camera ON camera.word_id = u.camera_id
JOIN spotter.word zone ON zone.word_id = u.zone_id
GROUP BY p.site, n.node, camera.text, zone.text, u.day;
COMMENT ON VIEW spotter.zone_day IS 'How often each zone, such as a rack, changed hands, by day.';
COMMENT ON COLUMN spotter.zone_day.site IS 'The gym.';
COMMENT ON COLUMN spotter.zone_day.node IS 'The node.';
COMMENT ON COLUMN spotter.zone_day.camera IS 'The camera.';
COMMENT ON COLUMN spotter.zone_day.zone IS 'The zone.';
COMMENT ON COLUMN spotter.zone_day.day IS 'The day of the sessions.';
COMMENT ON COLUMN spotter.zone_day.uses IS
    'Uses: from a person''s first set there to their last, within a session. Sets that never were do not count.';
COMMENT ON COLUMN spotter.zone_day.sets IS 'Their sets.';
COMMENT ON COLUMN spotter.zone_day.use_s IS 'The median length of a use in seconds.';

REVOKE ALL ON FUNCTION spotter.unpack_sets FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spotter.unpack_sets TO spotter_sink, spotter_reader;
GRANT SELECT ON spotter.session_set, spotter.zone_day TO spotter_reader, spotter_sink;
