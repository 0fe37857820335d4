-- The views of how the nodes and their cameras are. The head of views.sql says what holds for all views.

-- Reports are JSON of many versions of the node's program. What is no number or no time gives NULL, and no error.
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
       CASE WHEN seen.last_seen IS NOT NULL
            THEN greatest(extract(epoch FROM now() - seen.last_seen), 0)::float8 END AS seconds_silent,
       coalesce(told.problems, 0)::int AS problems, told.codes AS problem_codes,
       spotter.number(n.health->'outbox'->'pending')::bigint AS outbox_pending,
       spotter.number(n.health->'cpu_pct')::real AS cpu_pct, spotter.number(n.health->'temp_c')::real AS temp_c,
       spotter.number(n.health->'disk_free_mb')::bigint AS disk_free_mb,
       p.time_zone, n.zone_problem
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
COMMENT ON VIEW spotter.node_health IS 'How each node is.';
COMMENT ON COLUMN spotter.node_health.site IS 'The gym from which the node was heard last.';
COMMENT ON COLUMN spotter.node_health.node IS 'The node.';
COMMENT ON COLUMN spotter.node_health.name IS 'The node''s name for people.';
COMMENT ON COLUMN spotter.node_health.state IS
    'What it said last: online, starting, stopped, offline; unknown if it said nothing.';
COMMENT ON COLUMN spotter.node_health.since IS 'Since when.';
COMMENT ON COLUMN spotter.node_health.version IS 'Version of its program.';
COMMENT ON COLUMN spotter.node_health.model IS 'Its model.';
COMMENT ON COLUMN spotter.node_health.last_seen IS 'When it was heard last: a report or a record.';
COMMENT ON COLUMN spotter.node_health.seconds_silent IS 'Seconds since then; NULL if it was never heard.';
COMMENT ON COLUMN spotter.node_health.problems IS 'Problems that its last health report lists.';
COMMENT ON COLUMN spotter.node_health.problem_codes IS 'Their codes.';
COMMENT ON COLUMN spotter.node_health.outbox_pending IS 'Records that it has not delivered to everybody.';
COMMENT ON COLUMN spotter.node_health.cpu_pct IS 'Load in percent of one core.';
COMMENT ON COLUMN spotter.node_health.temp_c IS 'Temperature in degrees Celsius.';
COMMENT ON COLUMN spotter.node_health.disk_free_mb IS 'Free megabytes of its disk.';
COMMENT ON COLUMN spotter.node_health.time_zone IS 'The gym''s time zone.';
COMMENT ON COLUMN spotter.node_health.zone_problem IS
    'The time zone that the node named, if PostgreSQL does not know it: the gym''s days do not follow it.';

CREATE VIEW spotter.node_accuracy WITH (security_invoker = true) AS
SELECT p.site, n.node, n.info->>'name' AS name, told.figures->>'group' AS camera,
       spotter.number(told.figures->'right'->'share') AS right_share,
       spotter.number(told.figures->'right'->'low') AS right_low,
       spotter.number(told.figures->'right'->'high') AS right_high,
       spotter.number(told.figures->'right'->'answers')::bigint AS answers,
       spotter.number(told.figures->'counts_within_one'->'share') AS counts_share,
       spotter.number(told.figures->'false_sets_an_hour'->'value') AS false_sets_an_hour,
       spotter.number(told.figures->'false_sets_an_hour'->'low') AS false_low,
       spotter.number(told.figures->'false_sets_an_hour'->'high') AS false_high,
       spotter.number(told.figures->'recall'->'share') AS found_share,
       spotter.number(told.figures->'hours') AS hours, spotter.number(told.figures->'sets')::bigint AS sets
FROM spotter.node n
JOIN spotter.site p USING (site_id)
CROSS JOIN LATERAL (
    SELECT n.health->'accuracy' AS figures
    UNION ALL
    SELECT camera FROM jsonb_array_elements(
        CASE WHEN jsonb_typeof(n.health->'accuracy_by_camera') = 'array' THEN n.health->'accuracy_by_camera'
             ELSE '[]' END) AS camera
) AS told
WHERE spotter.number(told.figures->'right'->'share') IS NOT NULL;
COMMENT ON VIEW spotter.node_accuracy IS
    'How often each node is right, by the answers of people in the last five weeks, and so where a camera hangs badly.';
COMMENT ON COLUMN spotter.node_accuracy.site IS 'The gym from which the node was heard last.';
COMMENT ON COLUMN spotter.node_accuracy.node IS 'The node.';
COMMENT ON COLUMN spotter.node_accuracy.name IS 'The node''s name for people.';
COMMENT ON COLUMN spotter.node_accuracy.camera IS 'The camera; NULL for all cameras of the node together.';
COMMENT ON COLUMN spotter.node_accuracy.right_share IS
    'The share of the reported sets that are of the exercise that was shown, 0 to 1.';
COMMENT ON COLUMN spotter.node_accuracy.right_low IS 'The lower end of its interval, at 90 %.';
COMMENT ON COLUMN spotter.node_accuracy.right_high IS 'The upper end of its interval.';
COMMENT ON COLUMN spotter.node_accuracy.answers IS 'The answers behind it.';
COMMENT ON COLUMN spotter.node_accuracy.counts_share IS
    'Of the sets that are right: the share whose count is within one repetition.';
COMMENT ON COLUMN spotter.node_accuracy.false_sets_an_hour IS 'Sets that were none, in an hour with people in view.';
COMMENT ON COLUMN spotter.node_accuracy.false_low IS 'The lower end of its interval, at 90 %.';
COMMENT ON COLUMN spotter.node_accuracy.false_high IS 'The upper end of its interval.';
COMMENT ON COLUMN spotter.node_accuracy.found_share IS 'The share of the exercise time that lies in sets that are right.';
COMMENT ON COLUMN spotter.node_accuracy.hours IS 'Hours with people in view.';
COMMENT ON COLUMN spotter.node_accuracy.sets IS 'Sets that were reported.';

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
COMMENT ON VIEW spotter.completeness IS 'Whether all records of a node have come, by epoch.';
COMMENT ON COLUMN spotter.completeness.site IS 'The gym from which the node was heard last.';
COMMENT ON COLUMN spotter.completeness.node IS 'The node.';
COMMENT ON COLUMN spotter.completeness.epoch IS 'The epoch: positions begin again with a new one.';
COMMENT ON COLUMN spotter.completeness.is_current IS 'Whether it is the node''s current epoch.';
COMMENT ON COLUMN spotter.completeness.prefix IS 'Everything up to this position is stored or was declared lost.';
COMMENT ON COLUMN spotter.completeness.highest IS 'The highest position that came.';
COMMENT ON COLUMN spotter.completeness.missing IS 'Positions below it that have not come.';
COMMENT ON COLUMN spotter.completeness.declared_lost IS 'Records that the node declared lost.';
COMMENT ON COLUMN spotter.completeness.last_made IS 'When the newest record was made.';
COMMENT ON COLUMN spotter.completeness.last_stored IS 'When a record was stored last.';
COMMENT ON COLUMN spotter.completeness.lag_s IS 'Seconds from made to stored, of the newest record.';
COMMENT ON COLUMN spotter.completeness.rejected IS
    'Messages of the node that did not fit their schema and are still kept; in the row of the current epoch.';

CREATE VIEW spotter.gap_list WITH (security_invoker = true) AS
SELECT p.site, n.node, g.epoch, g.from_seq, g.to_seq, g.records, reason.text AS reason, g.made
FROM spotter.gap g
JOIN spotter.node n USING (node_id)
LEFT JOIN spotter.site p ON p.site_id = n.site_id
LEFT JOIN spotter.word reason ON reason.word_id = g.reason_id;
COMMENT ON VIEW spotter.gap_list IS 'Losses that nodes declared.';
COMMENT ON COLUMN spotter.gap_list.site IS 'The node''s gym.';
COMMENT ON COLUMN spotter.gap_list.node IS 'The node.';
COMMENT ON COLUMN spotter.gap_list.epoch IS 'The epoch of the positions.';
COMMENT ON COLUMN spotter.gap_list.from_seq IS 'The first position that is lost.';
COMMENT ON COLUMN spotter.gap_list.to_seq IS 'The last position that is lost.';
COMMENT ON COLUMN spotter.gap_list.records IS 'How many records were lost.';
COMMENT ON COLUMN spotter.gap_list.reason IS 'Why.';
COMMENT ON COLUMN spotter.gap_list.made IS 'When the node declared it.';

-- A camera has one absence at a time. So an absence without an end has ended, too, if another one began after it: its
-- end was lost with the history of the node.
CREATE VIEW spotter.absence_list WITH (security_invoker = true) AS
SELECT p.site, n.node, a.camera, a.id, a.started, a.ended, a.started AT TIME ZONE p.time_zone AS local_start,
       a.ended AT TIME ZONE p.time_zone AS local_end, a.reason, o.lasts,
       CASE WHEN a.ended IS NOT NULL OR o.lasts
            THEN greatest(extract(epoch FROM coalesce(a.ended, now()) - a.started), 0)::float8 END AS seconds
FROM spotter.absence a
LEFT JOIN spotter.site p ON p.site_id = a.site_id
LEFT JOIN spotter.node n ON n.node_id = a.node_id
CROSS JOIN LATERAL (
    SELECT a.ended IS NULL AND NOT EXISTS (
               SELECT FROM spotter.absence later
               WHERE later.node_id = a.node_id AND later.camera = a.camera
                 AND (later.started, later.id) > (a.started, a.id)) AS lasts
) o;
COMMENT ON VIEW spotter.absence_list IS 'Times in which a camera delivered no pictures.';
COMMENT ON COLUMN spotter.absence_list.site IS 'The gym.';
COMMENT ON COLUMN spotter.absence_list.node IS 'The node.';
COMMENT ON COLUMN spotter.absence_list.camera IS 'The camera.';
COMMENT ON COLUMN spotter.absence_list.id IS 'The id of the absence.';
COMMENT ON COLUMN spotter.absence_list.started IS 'When the pictures ceased.';
COMMENT ON COLUMN spotter.absence_list.ended IS 'When they came again; none while they are missing.';
COMMENT ON COLUMN spotter.absence_list.local_start IS 'When they ceased, in the gym''s time zone.';
COMMENT ON COLUMN spotter.absence_list.local_end IS 'When they came again, in the gym''s time zone.';
COMMENT ON COLUMN spotter.absence_list.reason IS 'switched_off, or why there were none, such as unplugged.';
COMMENT ON COLUMN spotter.absence_list.lasts IS
    'Whether pictures are still missing. The time in which the node itself was off has no row.';
COMMENT ON COLUMN spotter.absence_list.seconds IS 'How long, until now while it lasts; none where the end was lost.';
