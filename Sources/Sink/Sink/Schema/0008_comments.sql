-- What the views and their columns mean. A dashboard's editor shows these comments.
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

COMMENT ON VIEW spotter.exercise_day IS 'What was trained in a gym, by day and exercise.';
COMMENT ON COLUMN spotter.exercise_day.site IS 'The gym.';
COMMENT ON COLUMN spotter.exercise_day.day IS 'The day in the gym''s time zone on which the sessions began.';
COMMENT ON COLUMN spotter.exercise_day.label IS 'The exercise.';
COMMENT ON COLUMN spotter.exercise_day.sessions IS
    'Sessions with this exercise. A session with two exercises counts for both.';
COMMENT ON COLUMN spotter.exercise_day.sets IS 'Sets of this exercise.';
COMMENT ON COLUMN spotter.exercise_day.reps IS 'Repetitions credited; 0 where they are not counted.';
COMMENT ON COLUMN spotter.exercise_day.active_s IS 'Seconds credited to this exercise.';

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
COMMENT ON COLUMN spotter.session_set.coaching_hint IS 'A hint from 0 to 100. No assessment of safety.';
COMMENT ON COLUMN spotter.session_set.zone IS 'The zone of most of it; none outside all zones.';
COMMENT ON COLUMN spotter.session_set.recognised_label IS 'What was recognised, where a person corrected the set.';
COMMENT ON COLUMN spotter.session_set.recognised_reps IS
    'The repetitions that were recognised, where a person corrected the set.';

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

COMMENT ON VIEW spotter.gap_list IS 'Losses that nodes declared.';
COMMENT ON COLUMN spotter.gap_list.site IS 'The node''s gym.';
COMMENT ON COLUMN spotter.gap_list.node IS 'The node.';
COMMENT ON COLUMN spotter.gap_list.epoch IS 'The epoch of the positions.';
COMMENT ON COLUMN spotter.gap_list.from_seq IS 'The first position that is lost.';
COMMENT ON COLUMN spotter.gap_list.to_seq IS 'The last position that is lost.';
COMMENT ON COLUMN spotter.gap_list.records IS 'How many records were lost.';
COMMENT ON COLUMN spotter.gap_list.reason IS 'Why.';
COMMENT ON COLUMN spotter.gap_list.made IS 'When the node declared it.';

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
COMMENT ON COLUMN spotter.node_health.seconds_silent IS 'Seconds since then.';
COMMENT ON COLUMN spotter.node_health.problems IS 'Problems that its last health report lists.';
COMMENT ON COLUMN spotter.node_health.problem_codes IS 'Their codes.';
COMMENT ON COLUMN spotter.node_health.outbox_pending IS 'Records that it has not delivered to everybody.';
COMMENT ON COLUMN spotter.node_health.cpu_pct IS 'Load in percent of one core.';
COMMENT ON COLUMN spotter.node_health.temp_c IS 'Temperature in degrees Celsius.';
COMMENT ON COLUMN spotter.node_health.disk_free_mb IS 'Free megabytes of its disk.';

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
