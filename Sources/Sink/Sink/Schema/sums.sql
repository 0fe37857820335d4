-- Sums by day and by hour, which the views read. They are recomputed as a whole, so they cannot drift.

CREATE TABLE spotter.gym_sum (
    site_id int NOT NULL,
    day date NOT NULL,
    sessions int NOT NULL,
    sets int NOT NULL,
    cameras int NOT NULL,
    reps bigint NOT NULL,
    active_ms bigint NOT NULL,
    PRIMARY KEY (site_id, day)
) WITH (fillfactor = 80);
CREATE INDEX ON spotter.gym_sum (day);
COMMENT ON TABLE spotter.gym_sum IS 'One row for each gym and day with sessions.';

CREATE TABLE spotter.exercise_sum (
    site_id int NOT NULL,
    day date NOT NULL,
    label_id int NOT NULL,
    sessions int NOT NULL,
    sets int NOT NULL,
    reps bigint NOT NULL,
    active_ms bigint NOT NULL,
    PRIMARY KEY (site_id, day, label_id)
) WITH (fillfactor = 80);
CREATE INDEX ON spotter.exercise_sum (day);
COMMENT ON TABLE spotter.exercise_sum IS 'One row for each gym, day and exercise.';

CREATE TABLE spotter.hour_sum (
    site_id int NOT NULL,
    day date NOT NULL,
    node_id int NOT NULL,
    camera_id int NOT NULL,
    hour timestamp NOT NULL,
    sessions int NOT NULL,
    active_ms bigint NOT NULL,
    occupied_ms bigint NOT NULL,
    PRIMARY KEY (site_id, day, node_id, camera_id, hour)
) WITH (fillfactor = 80);
COMMENT ON TABLE spotter.hour_sum IS 'What the sessions that began on a day add to each hour of a camera.';
COMMENT ON COLUMN spotter.hour_sum.day IS 'The day on which the sessions began; the hour may lie after midnight.';

-- OFFSET 0 keeps the planner from reading whole months where it misjudges how many days are asked for.
CREATE FUNCTION spotter.sessions_of(of_site int, of_day date) RETURNS SETOF spotter.session
LANGUAGE sql STABLE AS $$
    SELECT * FROM spotter.session s WHERE s.site_id = of_site AND s.day = of_day OFFSET 0
$$;

CREATE FUNCTION spotter.sum_gyms(sites int[], days date[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH fresh AS MATERIALIZED (
        SELECT s.site_id, s.day, count(*) AS sessions,
               sum(coalesce(array_length(s.sets, 1), 0)) AS sets,
               count(DISTINCT (s.node_id, s.camera_id)) AS cameras,
               coalesce(sum(a.reps), 0) AS reps, coalesce(sum(a.ms), 0) AS ms
        FROM unnest(sites, days) AS p (site_id, day)
        CROSS JOIN LATERAL spotter.sessions_of(p.site_id, p.day) s
        CROSS JOIN LATERAL (
            SELECT sum(u.reps) AS reps, sum(u.ms) AS ms FROM spotter.unpack_actions(s.actions) u
        ) a
        GROUP BY s.site_id, s.day
    ), gone AS (
        DELETE FROM spotter.gym_sum o USING unnest(sites, days) AS p (site_id, day)
        WHERE o.site_id = p.site_id AND o.day = p.day
          AND NOT EXISTS (SELECT FROM fresh f WHERE f.site_id = o.site_id AND f.day = o.day)
    )
    INSERT INTO spotter.gym_sum AS o (site_id, day, sessions, sets, cameras, reps, active_ms)
    SELECT site_id, day, sessions, sets, cameras, reps, ms FROM fresh
    ON CONFLICT (site_id, day) DO UPDATE
    SET (sessions, sets, cameras, reps, active_ms)
        = (excluded.sessions, excluded.sets, excluded.cameras, excluded.reps, excluded.active_ms)
    WHERE (o.sessions, o.sets, o.cameras, o.reps, o.active_ms)
        <> (excluded.sessions, excluded.sets, excluded.cameras, excluded.reps, excluded.active_ms);
END
$$;

CREATE FUNCTION spotter.sum_exercises(sites int[], days date[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH part AS (
        SELECT s.site_id, s.day, s.id, s.node_id, u.*
        FROM unnest(sites, days) AS p (site_id, day)
        CROSS JOIN LATERAL spotter.sessions_of(p.site_id, p.day) s
        CROSS JOIN LATERAL (
            SELECT label_id, 0 AS sets, reps, ms FROM spotter.unpack_actions(s.actions)
            UNION ALL
            SELECT label_id, 1, 0, 0 FROM spotter.unpack_sets(s.sets)
        ) u
    ), fresh AS MATERIALIZED (
        SELECT site_id, day, label_id, count(DISTINCT (id, node_id)) AS sessions, sum(sets) AS sets,
               coalesce(sum(reps), 0) AS reps, sum(ms) AS ms
        FROM part GROUP BY site_id, day, label_id
    ), gone AS (
        DELETE FROM spotter.exercise_sum o USING unnest(sites, days) AS p (site_id, day)
        WHERE o.site_id = p.site_id AND o.day = p.day
          AND NOT EXISTS (SELECT FROM fresh f
                          WHERE f.site_id = o.site_id AND f.day = o.day AND f.label_id = o.label_id)
    )
    INSERT INTO spotter.exercise_sum AS o (site_id, day, label_id, sessions, sets, reps, active_ms)
    SELECT site_id, day, label_id, sessions, sets, reps, ms FROM fresh
    ON CONFLICT (site_id, day, label_id) DO UPDATE
    SET (sessions, sets, reps, active_ms) = (excluded.sessions, excluded.sets, excluded.reps, excluded.active_ms)
    WHERE (o.sessions, o.sets, o.reps, o.active_ms)
        <> (excluded.sessions, excluded.sets, excluded.reps, excluded.active_ms);
END
$$;

-- The time of a session is spread over the hours that it touches, at most 24. Its credited time is spread evenly with
-- it, because a record does not say in which minute an action was credited.
CREATE FUNCTION spotter.session_hours(started timestamptz, ended timestamptz, credited_ms bigint, zone text)
RETURNS TABLE (hour timestamp, sessions int, active_ms bigint, occupied_ms bigint)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT date_trunc('hour', chunk AT TIME ZONE zone), (k = 0)::int,
           CASE WHEN total > 0 THEN round(credited_ms * share / total)::bigint
                WHEN k = 0 THEN credited_ms ELSE 0 END,
           round(share * 1000)::bigint
    FROM (SELECT started - (local_start - date_trunc('hour', local_start)) AS first_hour,
                 least(greatest(ended, started), started + interval '24 hours') AS last_moment
          FROM (SELECT started AT TIME ZONE zone AS local_start) AS place) AS limits
    -- date_part, because extract computes with decimal numbers, which takes several times as long.
    CROSS JOIN LATERAL (SELECT date_part('epoch', last_moment - started) AS total) AS length
    CROSS JOIN generate_series(0, least(ceil(total / 3600), 24)::int) AS k
    CROSS JOIN LATERAL (SELECT first_hour + k * interval '1 hour' AS chunk) AS chunks
    CROSS JOIN LATERAL (
        SELECT date_part('epoch', least(last_moment, chunk + interval '1 hour') - greatest(started, chunk)) AS share
    ) AS shares
    WHERE chunk < last_moment OR k = 0
$$;

CREATE FUNCTION spotter.sum_hours(sites int[], days date[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH fresh AS MATERIALIZED (
        SELECT s.site_id, s.day, s.node_id, s.camera_id, h.hour,
               sum(h.sessions) AS sessions, sum(h.active_ms) AS active, sum(h.occupied_ms) AS occupied
        FROM unnest(sites, days) AS p (site_id, day)
        JOIN spotter.site z ON z.site_id = p.site_id
        CROSS JOIN LATERAL spotter.sessions_of(p.site_id, p.day) s
        CROSS JOIN LATERAL (
            SELECT coalesce(sum(u.ms), 0) AS ms FROM spotter.unpack_actions(s.actions) u
        ) a
        CROSS JOIN LATERAL spotter.session_hours(s.started, s.ended, a.ms, z.time_zone) h
        GROUP BY s.site_id, s.day, s.node_id, s.camera_id, h.hour
    ), gone AS (
        DELETE FROM spotter.hour_sum o USING unnest(sites, days) AS p (site_id, day)
        WHERE o.site_id = p.site_id AND o.day = p.day
          AND NOT EXISTS (SELECT FROM fresh f WHERE (f.site_id, f.day, f.node_id, f.camera_id, f.hour)
                                                  = (o.site_id, o.day, o.node_id, o.camera_id, o.hour))
    )
    INSERT INTO spotter.hour_sum AS o (site_id, day, node_id, camera_id, hour, sessions, active_ms, occupied_ms)
    SELECT site_id, day, node_id, camera_id, hour, sessions, active, occupied FROM fresh
    ON CONFLICT (site_id, day, node_id, camera_id, hour) DO UPDATE
    SET (sessions, active_ms, occupied_ms) = (excluded.sessions, excluded.active_ms, excluded.occupied_ms)
    WHERE (o.sessions, o.active_ms, o.occupied_ms)
        <> (excluded.sessions, excluded.active_ms, excluded.occupied_ms);
END
$$;
