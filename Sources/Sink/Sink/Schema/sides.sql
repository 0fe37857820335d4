-- Sets have the repetitions of either side of the body, at places 15 and 16 of their arrays. The arrays of earlier records
-- are shorter: their sides are NULL. `unpack_sets` keeps its columns, because other views read it.

CREATE FUNCTION spotter.side_reps(sets int[], number int, place int) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sets[rows.i][place]
    FROM unnest(sets[:][1:1]) WITH ORDINALITY AS rows (number, i)
    WHERE rows.number = side_reps.number
    LIMIT 1
$$;
COMMENT ON FUNCTION spotter.side_reps IS 'The repetitions of one side in the set with this number.';
REVOKE ALL ON FUNCTION spotter.side_reps FROM PUBLIC;
GRANT EXECUTE ON FUNCTION spotter.side_reps TO spotter_sink, spotter_reader;

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

CREATE OR REPLACE VIEW spotter.session_set WITH (security_invoker = true) AS
SELECT p.site, n.node, s.id, s.day, u.number, label.text AS label,
       s.started + u.start_ms * interval '1 ms' AS started,
       s.started + (u.start_ms::bigint + u.length_ms) * interval '1 ms' AS ended, u.reps,
       u.rest_ms / 1000.0::float8 AS rest_s, u.score, zone.text AS zone,
       recognised.text AS recognised_label, u.recognised_reps, u.load_g / 1000.0::float8 AS load_kg,
       u.confidence, u.reps_margin, u.rpe,
       spotter.side_reps(s.sets, u.number, 15) AS left_reps, spotter.side_reps(s.sets, u.number, 16) AS right_reps
FROM spotter.session s
CROSS JOIN LATERAL spotter.unpack_sets(s.sets) u
LEFT JOIN spotter.site p ON p.site_id = s.site_id
LEFT JOIN spotter.node n ON n.node_id = s.node_id
LEFT JOIN spotter.word label ON label.word_id = u.label_id
LEFT JOIN spotter.word zone ON zone.word_id = u.zone_id
LEFT JOIN spotter.word recognised ON recognised.word_id = u.recognised_label_id;
COMMENT ON COLUMN spotter.session_set.left_reps IS
    'Those of reps in which the left side worked; none where no side is known.';
COMMENT ON COLUMN spotter.session_set.right_reps IS 'Those of reps in which the right side worked.';
