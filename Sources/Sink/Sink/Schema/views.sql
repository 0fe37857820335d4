-- The views of what people did. All views, also those of node_views.sql, are the stable contract for dashboards, whose
-- editors show the comments. They run with the reader's rights, so the row-level security of the tables holds. Joins
-- that only fetch a name are LEFT joins: PostgreSQL leaves them out where nobody asks for the name.

CREATE VIEW spotter.gym_day WITH (security_invoker = true) AS
SELECT s.site, g.day, g.sessions, g.sets, g.reps, g.active_ms / 1000.0::float8 AS active_s, g.cameras
FROM spotter.gym_sum g LEFT JOIN spotter.site s USING (site_id);
COMMENT ON VIEW spotter.gym_day IS 'Attendance of a gym by day.';
COMMENT ON COLUMN spotter.gym_day.site IS 'The gym.';
COMMENT ON COLUMN spotter.gym_day.day IS
    'The day in the gym''s time zone; a session counts for the day on which it began.';
COMMENT ON COLUMN spotter.gym_day.sessions IS 'Sessions that began on this day.';
COMMENT ON COLUMN spotter.gym_day.sets IS 'Their sets.';
COMMENT ON COLUMN spotter.gym_day.reps IS
    'Repetitions credited in them; only of exercises whose repetitions are counted.';
COMMENT ON COLUMN spotter.gym_day.active_s IS 'Seconds in which an exercise was credited.';
COMMENT ON COLUMN spotter.gym_day.cameras IS 'Cameras that saw a session.';

CREATE VIEW spotter.exercise_day WITH (security_invoker = true) AS
SELECT s.site, e.day, w.text AS label, e.sessions, e.sets, e.reps, e.active_ms / 1000.0::float8 AS active_s
FROM spotter.exercise_sum e
LEFT JOIN spotter.site s USING (site_id)
LEFT JOIN spotter.word w ON w.word_id = e.label_id;
COMMENT ON VIEW spotter.exercise_day IS 'What was trained in a gym, by day and exercise.';
COMMENT ON COLUMN spotter.exercise_day.site IS 'The gym.';
COMMENT ON COLUMN spotter.exercise_day.day IS 'The day in the gym''s time zone on which the sessions began.';
COMMENT ON COLUMN spotter.exercise_day.label IS 'The exercise.';
COMMENT ON COLUMN spotter.exercise_day.sessions IS
    'Sessions with this exercise. A session with two exercises counts for both.';
COMMENT ON COLUMN spotter.exercise_day.sets IS 'Sets of this exercise.';
COMMENT ON COLUMN spotter.exercise_day.reps IS 'Repetitions credited; 0 where they are not counted.';
COMMENT ON COLUMN spotter.exercise_day.active_s IS 'Seconds credited to this exercise.';

CREATE VIEW spotter.camera_hour WITH (security_invoker = true) AS
SELECT s.site, n.node, w.text AS camera, h.hour, sum(h.sessions)::int AS sessions,
       sum(h.active_ms)::bigint / 1000.0::float8 AS active_s, sum(h.occupied_ms)::bigint / 1000.0::float8 AS occupied_s
FROM spotter.hour_sum h
JOIN spotter.site s USING (site_id)
JOIN spotter.node n USING (node_id)
JOIN spotter.word w ON w.word_id = h.camera_id
GROUP BY s.site, n.node, w.text, h.hour;
COMMENT ON VIEW spotter.camera_hour IS 'Use of each camera by hour.';
COMMENT ON COLUMN spotter.camera_hour.site IS 'The gym.';
COMMENT ON COLUMN spotter.camera_hour.node IS 'The node.';
COMMENT ON COLUMN spotter.camera_hour.camera IS 'The camera.';
COMMENT ON COLUMN spotter.camera_hour.hour IS
    'The beginning of the hour in the gym''s time zone. In autumn one hour holds two.';
COMMENT ON COLUMN spotter.camera_hour.sessions IS 'Sessions that began in this hour.';
COMMENT ON COLUMN spotter.camera_hour.active_s IS 'Credited seconds. A session''s are spread evenly over its time.';
COMMENT ON COLUMN spotter.camera_hour.occupied_s IS
    'Seconds of sessions within this hour; two people at once count twice. A session counts for 24 hours at most.';

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
COMMENT ON VIEW spotter.session_list IS 'The sessions in their newest revision.';
COMMENT ON COLUMN spotter.session_list.site IS 'The gym.';
COMMENT ON COLUMN spotter.session_list.node IS 'The node.';
COMMENT ON COLUMN spotter.session_list.camera IS 'The camera.';
COMMENT ON COLUMN spotter.session_list.id IS 'The id of the session.';
COMMENT ON COLUMN spotter.session_list.started IS 'When it began.';
COMMENT ON COLUMN spotter.session_list.ended IS 'When it ended, or until when it is known.';
COMMENT ON COLUMN spotter.session_list.local_start IS 'When it began, in the gym''s time zone.';
COMMENT ON COLUMN spotter.session_list.day IS 'The day on which it began, in the gym''s time zone.';
COMMENT ON COLUMN spotter.session_list.zone IS 'The zone of most of it; none outside all zones.';
COMMENT ON COLUMN spotter.session_list.end_reason IS 'Why it ended; none while it goes on.';
COMMENT ON COLUMN spotter.session_list.final IS 'Whether it has ended.';
COMMENT ON COLUMN spotter.session_list.sets IS 'Sets.';
COMMENT ON COLUMN spotter.session_list.reps IS 'Repetitions credited.';
COMMENT ON COLUMN spotter.session_list.active_s IS 'Seconds in which an exercise was credited.';

CREATE VIEW spotter.session_set WITH (security_invoker = true) AS
SELECT p.site, n.node, s.id, s.day, u.number, label.text AS label,
       s.started + u.start_ms * interval '1 ms' AS started,
       s.started + (u.start_ms::bigint + u.length_ms) * interval '1 ms' AS ended, u.reps,
       u.rest_ms / 1000.0::float8 AS rest_s, u.score, zone.text AS zone,
       recognised.text AS recognised_label, u.recognised_reps, u.load_g / 1000.0::float8 AS load_kg,
       u.confidence, u.reps_margin, u.rpe
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

CREATE VIEW spotter.session_action WITH (security_invoker = true) AS
SELECT p.site, n.node, s.id, s.day, label.text AS label, u.frames, u.ms / 1000.0::float8 AS active_s, u.reps,
       u.confidence
FROM spotter.session s
CROSS JOIN LATERAL spotter.unpack_actions(s.actions) u
LEFT JOIN spotter.site p ON p.site_id = s.site_id
LEFT JOIN spotter.node n ON n.node_id = s.node_id
LEFT JOIN spotter.word label ON label.word_id = u.label_id;
COMMENT ON VIEW spotter.session_action IS 'What was credited in the sessions, by exercise.';
COMMENT ON COLUMN spotter.session_action.site IS 'The gym.';
COMMENT ON COLUMN spotter.session_action.node IS 'The node.';
COMMENT ON COLUMN spotter.session_action.id IS 'The id of the session.';
COMMENT ON COLUMN spotter.session_action.day IS 'The day of the session.';
COMMENT ON COLUMN spotter.session_action.label IS 'The exercise.';
COMMENT ON COLUMN spotter.session_action.frames IS 'Frames credited.';
COMMENT ON COLUMN spotter.session_action.active_s IS 'Seconds credited.';
COMMENT ON COLUMN spotter.session_action.reps IS 'Repetitions; none where they are not counted.';
COMMENT ON COLUMN spotter.session_action.confidence IS 'Mean confidence, from 0 to 1.';

CREATE VIEW spotter.rollup_action WITH (security_invoker = true) AS
SELECT p.site, n.node, camera.text AS camera, r.started, r.started AT TIME ZONE p.time_zone AS local_start,
       r.length_ms / 1000.0::float8 AS length_s, label.text AS label, u.frames, u.ms / 1000.0::float8 AS active_s
FROM spotter.rollup r
CROSS JOIN LATERAL spotter.unpack_actions(r.actions) u
LEFT JOIN spotter.site p ON p.site_id = r.site_id
LEFT JOIN spotter.node n ON n.node_id = r.node_id
LEFT JOIN spotter.word camera ON camera.word_id = r.camera_id
LEFT JOIN spotter.word label ON label.word_id = u.label_id;
COMMENT ON VIEW spotter.rollup_action IS
    'What each camera counted in five minutes, by label. It knows no persons: a deleted session does not change it.';
COMMENT ON COLUMN spotter.rollup_action.site IS 'The gym.';
COMMENT ON COLUMN spotter.rollup_action.node IS 'The node.';
COMMENT ON COLUMN spotter.rollup_action.camera IS 'The camera.';
COMMENT ON COLUMN spotter.rollup_action.started IS 'The beginning of the five minutes.';
COMMENT ON COLUMN spotter.rollup_action.local_start IS 'Their beginning in the gym''s time zone.';
COMMENT ON COLUMN spotter.rollup_action.length_s IS 'Their length in seconds.';
COMMENT ON COLUMN spotter.rollup_action.label IS 'The label.';
COMMENT ON COLUMN spotter.rollup_action.frames IS 'Frames credited.';
COMMENT ON COLUMN spotter.rollup_action.active_s IS
    'Seconds credited. After a corrected clock five minutes may have two rows, which add up.';

CREATE VIEW spotter.workout_list WITH (security_invoker = true) AS
SELECT p.site, n.node, w.camera, w.id, w.started, w.ended, w.started AT TIME ZONE p.time_zone AS local_start,
       w.end_reason, w.final, w.plan, w.plan_name, w.name, w.challenge_s, t.steps, t.completed_steps, t.reps
FROM spotter.workout w
LEFT JOIN spotter.site p ON p.site_id = w.site_id
LEFT JOIN spotter.node n ON n.node_id = w.node_id
LEFT JOIN LATERAL (
    SELECT count(*)::int AS steps, (count(*) FILTER (WHERE s.complete))::int AS completed_steps,
           coalesce(sum(s.reps), 0)::int AS reps
    FROM spotter.workout_part s WHERE s.id = w.id AND s.node_id = w.node_id
) t ON true;
COMMENT ON VIEW spotter.workout_list IS 'The workouts in their newest revision.';
COMMENT ON COLUMN spotter.workout_list.site IS 'The gym.';
COMMENT ON COLUMN spotter.workout_list.node IS 'The node.';
COMMENT ON COLUMN spotter.workout_list.camera IS 'The camera.';
COMMENT ON COLUMN spotter.workout_list.id IS 'The id of the workout.';
COMMENT ON COLUMN spotter.workout_list.started IS 'When it was started.';
COMMENT ON COLUMN spotter.workout_list.ended IS 'When it ended, or when something last happened in it.';
COMMENT ON COLUMN spotter.workout_list.local_start IS 'When it was started, in the gym''s time zone.';
COMMENT ON COLUMN spotter.workout_list.end_reason IS 'Why it ended; none while it goes on.';
COMMENT ON COLUMN spotter.workout_list.final IS 'Whether it has ended.';
COMMENT ON COLUMN spotter.workout_list.plan IS 'The id of the plan.';
COMMENT ON COLUMN spotter.workout_list.plan_name IS 'The plan, as people see it.';
COMMENT ON COLUMN spotter.workout_list.name IS 'What somebody typed; nobody is recognised. None without a name.';
COMMENT ON COLUMN spotter.workout_list.challenge_s IS 'The seconds of a challenge; none for a usual plan.';
COMMENT ON COLUMN spotter.workout_list.steps IS 'Steps of all rounds.';
COMMENT ON COLUMN spotter.workout_list.completed_steps IS 'Steps in which everything was done that was planned.';
COMMENT ON COLUMN spotter.workout_list.reps IS 'Repetitions of all steps.';

CREATE VIEW spotter.workout_step WITH (security_invoker = true) AS
SELECT p.site, n.node, s.id, s.number, s.round, s.action, s.side, s.planned_reps, s.planned_s, s.planned_rest_s,
       s.started, s.ended, s.reps, s.active_s, s.rest_before_s, s.score, s.skipped, s.complete,
       s.measured -> 'range' ->> 'measure' AS range_measure, (s.measured -> 'range' ->> 'value')::float8 AS range_value,
       (s.measured -> 'range' ->> 'uncertainty')::float8 AS range_uncertainty,
       s.measured -> 'range' ->> 'unit' AS range_unit, (s.measured -> 'tempo' ->> 'value')::float8 AS tempo_s,
       (s.measured -> 'tempo' ->> 'uncertainty')::float8 AS tempo_uncertainty_s,
       (s.measured ->> 'whole')::int AS score_whole, (s.measured ->> 'primary')::int AS score_primary,
       (s.measured ->> 'control')::int AS score_control, s.cues, s.pain
FROM spotter.workout_part s
LEFT JOIN spotter.site p ON p.site_id = s.site_id
LEFT JOIN spotter.node n ON n.node_id = s.node_id;
COMMENT ON VIEW spotter.workout_step IS 'The steps of the workouts: planned and done.';
COMMENT ON COLUMN spotter.workout_step.site IS 'The gym.';
COMMENT ON COLUMN spotter.workout_step.node IS 'The node.';
COMMENT ON COLUMN spotter.workout_step.id IS 'The id of the workout.';
COMMENT ON COLUMN spotter.workout_step.number IS 'The step, from 1.';
COMMENT ON COLUMN spotter.workout_step.round IS 'The round, from 1.';
COMMENT ON COLUMN spotter.workout_step.action IS 'The exercise.';
COMMENT ON COLUMN spotter.workout_step.side IS 'left or right; none for both.';
COMMENT ON COLUMN spotter.workout_step.planned_reps IS 'Planned repetitions; none for another kind of step.';
COMMENT ON COLUMN spotter.workout_step.planned_s IS 'Planned seconds of exercise; none for another kind of step.';
COMMENT ON COLUMN spotter.workout_step.planned_rest_s IS 'Planned seconds of rest after it.';
COMMENT ON COLUMN spotter.workout_step.started IS 'When its exercise was recognised first; none before.';
COMMENT ON COLUMN spotter.workout_step.ended IS 'When it was complete or broken off; none before.';
COMMENT ON COLUMN spotter.workout_step.reps IS 'Repetitions.';
COMMENT ON COLUMN spotter.workout_step.active_s IS 'Seconds in which the exercise was recognised.';
COMMENT ON COLUMN spotter.workout_step.rest_before_s IS 'Seconds since the end of the step before.';
COMMENT ON COLUMN spotter.workout_step.score IS
    'The score of its form, 0 to 100; none where too little was seen.';
COMMENT ON COLUMN spotter.workout_step.skipped IS 'Whether somebody skipped it.';
COMMENT ON COLUMN spotter.workout_step.complete IS 'Whether everything was done that was planned.';
COMMENT ON COLUMN spotter.workout_step.range_measure IS 'What stands for the range of motion; none without a reading.';
COMMENT ON COLUMN spotter.workout_step.range_value IS 'The mean range of motion, in range_unit.';
COMMENT ON COLUMN spotter.workout_step.range_uncertainty IS 'The standard error of range_value.';
COMMENT ON COLUMN spotter.workout_step.range_unit IS 'The unit of range_value.';
COMMENT ON COLUMN spotter.workout_step.tempo_s IS 'The mean seconds of a repetition.';
COMMENT ON COLUMN spotter.workout_step.tempo_uncertainty_s IS 'The standard error of tempo_s.';
COMMENT ON COLUMN spotter.workout_step.score_whole IS
    'The score of what was measured, 0 to 100; none where too little was seen.';
COMMENT ON COLUMN spotter.workout_step.score_primary IS 'Range and repetitions, 0 to 100.';
COMMENT ON COLUMN spotter.workout_step.score_control IS 'Trunk, symmetry and tempo, 0 to 100.';
COMMENT ON COLUMN spotter.workout_step.cues IS 'What was said, in order.';
COMMENT ON COLUMN spotter.workout_step.pain IS 'The pain that somebody stated after it, 0 to 10.';

-- The newest twelve weeks of each gym, so that the picture is of the present and does not move while a gym is silent.
CREATE VIEW spotter.gym_week WITH (security_invoker = true) AS
WITH newest AS (
    SELECT site_id, max(day) AS day FROM spotter.gym_sum GROUP BY site_id
), days AS (
    SELECT g.site_id, extract(isodow FROM g.day)::int AS weekday, count(*)::int AS days
    FROM spotter.gym_sum g JOIN newest n USING (site_id) WHERE g.day > n.day - 84 GROUP BY 1, 2
), hours AS (
    SELECT h.site_id, extract(isodow FROM h.hour)::int AS weekday, extract(hour FROM h.hour)::int AS hour,
           sum(h.sessions)::int AS sessions, sum(h.occupied_ms)::bigint AS occupied_ms
    FROM spotter.hour_sum h JOIN newest n USING (site_id) WHERE h.day > n.day - 84 GROUP BY 1, 2, 3
)
SELECT s.site, d.weekday, c.hour, d.days, coalesce(h.sessions, 0) AS sessions,
       coalesce(h.occupied_ms, 0) / 3600000.0::float8 / d.days AS people
FROM days d
CROSS JOIN generate_series(0, 23) AS c (hour)
LEFT JOIN hours h ON (h.site_id, h.weekday, h.hour) = (d.site_id, d.weekday, c.hour)
LEFT JOIN spotter.site s ON s.site_id = d.site_id;
COMMENT ON VIEW spotter.gym_week IS 'How full a gym is at each hour of the week, in its newest twelve weeks.';
COMMENT ON COLUMN spotter.gym_week.site IS 'The gym.';
COMMENT ON COLUMN spotter.gym_week.weekday IS 'From 1 for Monday to 7 for Sunday; those on which nobody came are missing.';
COMMENT ON COLUMN spotter.gym_week.hour IS 'The hour in the gym''s time zone, 0 to 23.';
COMMENT ON COLUMN spotter.gym_week.days IS 'Such weekdays on which a session began.';
COMMENT ON COLUMN spotter.gym_week.sessions IS 'Sessions that began in this hour.';
COMMENT ON COLUMN spotter.gym_week.people IS
    'The mean number of people in a session, over these days. The node itself also counts those who do not exercise.';

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
