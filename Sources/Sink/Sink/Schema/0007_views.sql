-- The views: the stable contract for dashboards. They run with the reader's rights, so the row-level security of the
-- tables holds. Joins that only fetch a name are LEFT joins: PostgreSQL leaves them out where nobody asks for the name.

CREATE VIEW spotter.gym_day WITH (security_invoker = true) AS
SELECT s.site, g.day, g.sessions, g.sets, g.reps, g.active_ms / 1000.0::float8 AS active_s, g.cameras
FROM spotter.gym_sum g LEFT JOIN spotter.site s USING (site_id);

CREATE VIEW spotter.exercise_day WITH (security_invoker = true) AS
SELECT s.site, e.day, w.text AS label, e.sessions, e.sets, e.reps, e.active_ms / 1000.0::float8 AS active_s
FROM spotter.exercise_sum e
LEFT JOIN spotter.site s USING (site_id)
LEFT JOIN spotter.word w ON w.word_id = e.label_id;

CREATE VIEW spotter.camera_hour WITH (security_invoker = true) AS
SELECT s.site, n.node, w.text AS camera, h.hour, sum(h.sessions)::int AS sessions,
       sum(h.active_ms)::bigint / 1000.0::float8 AS active_s, sum(h.occupied_ms)::bigint / 1000.0::float8 AS occupied_s
FROM spotter.hour_sum h
JOIN spotter.site s USING (site_id)
JOIN spotter.node n USING (node_id)
JOIN spotter.word w ON w.word_id = h.camera_id
GROUP BY s.site, n.node, w.text, h.hour;

CREATE VIEW spotter.session_list WITH (security_invoker = true) AS
SELECT p.site, n.node, camera.text AS camera, s.id, s.started, s.ended,
       s.started AT TIME ZONE p.time_zone AS local_start, s.day, zone.text AS zone, reason.text AS end_reason, s.final,
       coalesce(array_length(s.sets, 1), 0) AS sets, a.reps, a.active_s
FROM spotter.session s
LEFT JOIN spotter.site p ON p.site_id = s.site_id
LEFT JOIN spotter.node n ON n.node_id = s.node_id
LEFT JOIN spotter.word camera ON camera.word_id = s.camera_id
LEFT JOIN spotter.word zone ON zone.word_id = s.zone_id
LEFT JOIN spotter.word reason ON reason.word_id = s.end_reason_id
LEFT JOIN LATERAL (
    SELECT coalesce(sum(u.reps), 0)::int AS reps, coalesce(sum(u.ms), 0) / 1000.0::float8 AS active_s
    FROM spotter.unpack_actions(s.actions) u
) a ON true;

CREATE VIEW spotter.session_set WITH (security_invoker = true) AS
SELECT p.site, n.node, s.id, s.day, u.number, label.text AS label,
       s.started + u.start_ms * interval '1 ms' AS started,
       s.started + (u.start_ms::bigint + u.length_ms) * interval '1 ms' AS ended, u.reps,
       u.rest_ms / 1000.0::float8 AS rest_s, u.coaching_hint, zone.text AS zone,
       recognised.text AS recognised_label, u.recognised_reps
FROM spotter.session s
CROSS JOIN LATERAL spotter.unpack_sets(s.sets) u
LEFT JOIN spotter.site p ON p.site_id = s.site_id
LEFT JOIN spotter.node n ON n.node_id = s.node_id
LEFT JOIN spotter.word label ON label.word_id = u.label_id
LEFT JOIN spotter.word zone ON zone.word_id = u.zone_id
LEFT JOIN spotter.word recognised ON recognised.word_id = u.recognised_label_id;

CREATE VIEW spotter.session_action WITH (security_invoker = true) AS
SELECT p.site, n.node, s.id, s.day, label.text AS label, u.frames, u.ms / 1000.0::float8 AS active_s, u.reps,
       u.confidence
FROM spotter.session s
CROSS JOIN LATERAL spotter.unpack_actions(s.actions) u
LEFT JOIN spotter.site p ON p.site_id = s.site_id
LEFT JOIN spotter.node n ON n.node_id = s.node_id
LEFT JOIN spotter.word label ON label.word_id = u.label_id;

CREATE VIEW spotter.rollup_action WITH (security_invoker = true) AS
SELECT p.site, n.node, camera.text AS camera, r.started, r.started AT TIME ZONE p.time_zone AS local_start,
       r.length_ms / 1000.0::float8 AS length_s, label.text AS label, u.frames, u.ms / 1000.0::float8 AS active_s
FROM spotter.rollup r
CROSS JOIN LATERAL spotter.unpack_actions(r.actions) u
LEFT JOIN spotter.site p ON p.site_id = r.site_id
LEFT JOIN spotter.node n ON n.node_id = r.node_id
LEFT JOIN spotter.word camera ON camera.word_id = r.camera_id
LEFT JOIN spotter.word label ON label.word_id = u.label_id;

CREATE VIEW spotter.gap_list WITH (security_invoker = true) AS
SELECT p.site, n.node, g.epoch, g.from_seq, g.to_seq, g.records, reason.text AS reason, g.made
FROM spotter.gap g
JOIN spotter.node n USING (node_id)
LEFT JOIN spotter.site p ON p.site_id = n.site_id
LEFT JOIN spotter.word reason ON reason.word_id = g.reason_id;

-- Reports are JSON of many versions of the node's program. What is no number gives NULL, and no error.
CREATE FUNCTION spotter.number(value jsonb) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN jsonb_typeof(value) = 'number' THEN least(greatest(value::numeric, -1e15), 1e15)::float8 END
$$;

CREATE FUNCTION spotter.moment(value jsonb) RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
    -- Days are added to the first of the month, because '2026-02-30' would be an error.
    SELECT CASE WHEN value #>> '{}' ~ ('^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])'
                                   || 'T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$')
                THEN (left(value #>> '{}', 8) || '01' || substr(value #>> '{}', 11))::timestamptz
                     + (substr(value #>> '{}', 9, 2)::int - 1) * interval '24 hours' END
$$;

CREATE VIEW spotter.node_health WITH (security_invoker = true) AS
SELECT p.site, n.node, n.info->>'name' AS name, coalesce(n.status->>'state', 'unknown') AS state,
       coalesce(spotter.moment(n.status->'ts'), n.status_received) AS since, n.info->>'sw' AS version,
       n.info->'model'->>'id' AS model, seen.last_seen,
       greatest(extract(epoch FROM now() - seen.last_seen), 0)::float8 AS seconds_silent,
       coalesce(told.problems, 0)::int AS problems, told.codes AS problem_codes,
       spotter.number(n.health->'outbox'->'pending')::bigint AS outbox_pending,
       spotter.number(n.health->'cpu_pct')::real AS cpu_pct, spotter.number(n.health->'temp_c')::real AS temp_c,
       spotter.number(n.health->'disk_free_mb')::bigint AS disk_free_mb
FROM spotter.node n
JOIN spotter.site p USING (site_id)
CROSS JOIN LATERAL (
    SELECT greatest(n.heard, (SELECT max(s.last_stored) FROM spotter.stream s WHERE s.node_id = n.node_id)) AS last_seen
) AS seen
LEFT JOIN LATERAL (
    SELECT count(*) AS problems, string_agg(DISTINCT problem->>'code', ', ') AS codes
    FROM jsonb_array_elements(
        CASE WHEN jsonb_typeof(n.health->'problems') = 'array' THEN n.health->'problems' ELSE '[]' END) AS problem
) AS told ON true;

CREATE VIEW spotter.completeness WITH (security_invoker = true) AS
SELECT p.site, n.node, s.epoch, coalesce(s.epoch = n.epoch, false) AS is_current, at.prefix, at.highest, at.missing,
       coalesce((SELECT sum(g.records) FROM spotter.gap g WHERE g.node_id = s.node_id AND g.epoch = s.epoch), 0)::bigint
           AS declared_lost,
       s.last_made, s.last_stored, s.lag_s,
       CASE WHEN s.epoch = n.epoch
            THEN (SELECT count(*) FROM spotter.rejected r WHERE r.node = n.node AND r.site = p.site)
            ELSE 0 END AS rejected
FROM spotter.stream s
JOIN spotter.node n USING (node_id)
JOIN spotter.site p USING (site_id)
CROSS JOIN LATERAL spotter.positions(s.received) AS at;
