-- Rights. Nobody but the roles of roles.sql has any. The partitions give none at all, so they are reached only through
-- their parents, where row-level security holds.

CREATE TABLE spotter.site_reader (
    role_name name NOT NULL,
    site text NOT NULL,
    PRIMARY KEY (role_name, site)
);
COMMENT ON TABLE spotter.site_reader IS
    'Which sites a role sees. A role also sees the sites of the roles that it is a member of.';

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA spotter FROM PUBLIC;
GRANT USAGE ON SCHEMA spotter TO spotter_sink, spotter_reader;

-- The sink: what the batches need. It cannot change who reads what.
GRANT SELECT, INSERT ON spotter.word TO spotter_sink;
GRANT SELECT, INSERT, DELETE ON spotter.day_mark TO spotter_sink;
GRANT SELECT, INSERT, UPDATE ON spotter.site, spotter.node, spotter.stream, spotter.rollup, spotter.absence,
    spotter.gap, spotter.tombstone TO spotter_sink;
GRANT SELECT, INSERT, UPDATE, DELETE ON spotter.session, spotter.workout, spotter.workout_part, spotter.rejected,
    spotter.gym_sum, spotter.exercise_sum, spotter.hour_sum TO spotter_sink;
GRANT SELECT ON spotter.migration TO spotter_sink, spotter_reader;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA spotter TO spotter_sink;
REVOKE EXECUTE ON FUNCTION spotter.forget_session, spotter.make_partition, spotter.months, spotter.drop_sums,
    spotter.delete_before, spotter.first_id FROM spotter_sink;

-- The readers: the views, and below them what the views read. Of rejected messages they may count those of their sites.
GRANT SELECT ON spotter.gym_day, spotter.exercise_day, spotter.camera_hour, spotter.gym_week, spotter.zone_day,
    spotter.session_list, spotter.session_set,
    spotter.session_action, spotter.rollup_action, spotter.workout_list, spotter.workout_step, spotter.node_health, spotter.node_accuracy,
    spotter.completeness, spotter.gap_list, spotter.absence_list TO spotter_reader, spotter_sink;
GRANT SELECT ON spotter.site, spotter.node, spotter.word, spotter.stream, spotter.session, spotter.rollup,
    spotter.workout, spotter.workout_part, spotter.absence, spotter.gap, spotter.gym_sum, spotter.exercise_sum,
    spotter.hour_sum, spotter.site_reader TO spotter_reader;
GRANT SELECT (rejected_id, received, site, node, reason) ON spotter.rejected TO spotter_reader;
GRANT EXECUTE ON FUNCTION spotter.unpack_sets, spotter.unpack_actions, spotter.positions, spotter.number, spotter.moment
    TO spotter_reader;

-- Row-level security. A reader sees the rows of the sites that it sees; this is the condition where NULL stands. The
-- list of visible sites is computed once for each query.
DO $$
DECLARE
    relation text;
    visible text;
BEGIN
    FOR relation, visible IN
        SELECT * FROM (VALUES
            ('site', 'site IN (SELECT r.site FROM spotter.site_reader r)'),
            ('node', NULL), ('word', NULL), ('session', NULL), ('rollup', NULL), ('workout', NULL),
            ('workout_part', NULL), ('absence', NULL), ('gym_sum', NULL), ('exercise_sum', NULL), ('hour_sum', NULL),
            ('stream', 'node_id = ANY (ARRAY(SELECT n.node_id FROM spotter.node n))'),
            ('gap', 'node_id = ANY (ARRAY(SELECT n.node_id FROM spotter.node n))'),
            ('rejected', 'site = ANY (ARRAY(SELECT s.site FROM spotter.site s))'),
            ('tombstone', 'false'), ('day_mark', 'false')
        ) AS tables (name, visible)
    LOOP
        EXECUTE format('ALTER TABLE spotter.%I ENABLE ROW LEVEL SECURITY', relation);
        EXECUTE format('CREATE POLICY sink ON spotter.%I TO spotter_sink USING (true) WITH CHECK (true)', relation);
        EXECUTE format('CREATE POLICY reader ON spotter.%I FOR SELECT TO spotter_reader USING (%s)', relation,
                       coalesce(visible, 'site_id = ANY (ARRAY(SELECT s.site_id FROM spotter.site s))'));
        EXECUTE format('CREATE POLICY reader_all ON spotter.%I FOR SELECT TO spotter_reader_all USING (true)',
                       relation);
    END LOOP;
END
$$;

ALTER TABLE spotter.site_reader ENABLE ROW LEVEL SECURITY;
CREATE POLICY reader ON spotter.site_reader FOR SELECT TO spotter_reader
    USING (role_name IN (SELECT r.rolname FROM pg_catalog.pg_roles r WHERE pg_has_role(r.oid, 'USAGE')));
