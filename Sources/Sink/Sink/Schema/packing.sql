-- Sets and actions as arrays of numbers, one row for each. Packing and unpacking must name the same columns in the same
-- order. A text is its number in spotter.word, a time is in milliseconds, a weight in grams, a
-- confidence in ten-thousandths, and a perceived exertion in tenths.

-- A number that does not fit is stored at the limit (24 days): one absurd record must not stop a batch.
CREATE FUNCTION spotter.milliseconds(seconds double precision) RETURNS int
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN seconds IS NOT NULL
                THEN round(least(greatest(seconds * 1000, -2147483648), 2147483647))::int END
$$;

-- The planner expects 1,000 rows of a function. Of the same query inside another one it expects few, and would pack the
-- sets of the whole batch once for each session.
CREATE FUNCTION spotter.packed_sets() RETURNS TABLE (line int, sets int[]) LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT t.line, array_agg(
               ARRAY[t.number, label.word_id,
                     spotter.milliseconds(date_part('epoch', t.start - r.started)),
                     spotter.milliseconds(date_part('epoch', t."end" - t.start)), t.reps,
                     spotter.milliseconds(t.rest_s), t.score, zone.word_id,
                     recognised.word_id, (t.corrected->>'reps')::int, round(t.load_kg * 1000)::int,
                     round(t.confidence * 10000)::int, t.reps_margin, round(t.rpe * 10)::int]
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

CREATE FUNCTION spotter.packed_actions() RETURNS TABLE (line int, actions int[]) LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN QUERY
    SELECT a.line, array_agg(
               ARRAY[label.word_id, a.frames, spotter.milliseconds(a.seconds), a.reps,
                     CASE WHEN a.conf_mean IS NOT NULL
                          THEN round(least(greatest(a.conf_mean, 0), 1) * 10000)::int END]
               ORDER BY a.label, a.frames, a.seconds, a.reps)
    FROM pg_temp.batch_record b
    JOIN pg_temp.incoming_action a ON a.line = b.line
    JOIN pg_temp.batch_word label ON label.site_id = b.site_id AND label.text = a.label
    WHERE b.session OR b.rollup
    GROUP BY a.line;
END
$$;

-- The planner expects 10 rows of unnest, but 1,000 of generate_series.
CREATE FUNCTION spotter.unpack_sets(sets int[])
RETURNS TABLE (number int, label_id int, start_ms int, length_ms int, reps int, rest_ms int, score int,
               zone_id int, recognised_label_id int, recognised_reps int, load_g int, confidence real, reps_margin int,
               rpe float8)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT sets[i][1], sets[i][2], sets[i][3], sets[i][4], sets[i][5],
           sets[i][6], sets[i][7], sets[i][8], sets[i][9], sets[i][10], sets[i][11],
           (sets[i][12] / 10000.0)::real, sets[i][13], sets[i][14] / 10.0::float8
    FROM unnest(sets[:][1:1]) WITH ORDINALITY AS rows (number, i)
$$;
COMMENT ON FUNCTION spotter.unpack_sets IS 'The sets of a session; start_ms counts from the session''s start.';

CREATE FUNCTION spotter.unpack_actions(actions int[])
RETURNS TABLE (label_id int, frames int, ms int, reps int, confidence real)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT actions[i][1], actions[i][2], actions[i][3], actions[i][4], (actions[i][5] / 10000.0)::real
    FROM unnest(actions[:][1:1]) WITH ORDINALITY AS rows (number, i)
$$;
COMMENT ON FUNCTION spotter.unpack_actions IS 'The actions of a session or rollup; ms is the credited time.';
