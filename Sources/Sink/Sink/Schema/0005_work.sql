-- What the sink calls. These functions run with the caller's rights (SECURITY INVOKER), because store_batch reads
-- temporary tables of the caller: with the owner's rights, whoever controls the sink could put a view in their place
-- and have its functions run as the owner. Only what makes and drops partitions runs as the owner (0006).
--
-- Two advisory locks: 'spotter.batch' is shared by all batches, and taken alone by what needs none under way;
-- 'spotter.days' is held by whoever recomputes sums. Who needs both takes 'spotter.days' first.

CREATE FUNCTION spotter.lock_key(name text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT hashtextextended('spotter.' || name, 0) $$;

-- A statement must see what was committed while it waited for a lock.
CREATE FUNCTION spotter.require_read_committed() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
        RAISE EXCEPTION 'spotter needs transactions that are READ COMMITTED, not %',
            upper(current_setting('transaction_isolation'));
    END IF;
END
$$;

CREATE FUNCTION spotter.store_batch()
RETURNS TABLE (site text, node text, epoch uuid, is_current boolean, prefix bigint, highest bigint,
               missing_from bigint, missing_to bigint, stored int, known int)
LANGUAGE plpgsql SET jit = off AS $$
BEGIN
    PERFORM spotter.require_read_committed();
    PERFORM pg_advisory_xact_lock_shared(spotter.lock_key('batch'));
    -- A second call in one transaction stores the same batch once more, which changes nothing.
    DELETE FROM pg_temp.batch_record;
    DELETE FROM pg_temp.batch_word;
    DELETE FROM pg_temp.batch_stream;
    PERFORM spotter.batch_places();
    IF EXISTS (SELECT FROM pg_temp.incoming_node) THEN
        PERFORM spotter.batch_time_zones();
        PERFORM spotter.batch_reports();
    END IF;
    PERFORM spotter.batch_records();
    PERFORM spotter.batch_words();
    PERFORM spotter.batch_positions();
    PERFORM spotter.batch_deletions();
    PERFORM spotter.batch_sessions();
    PERFORM spotter.batch_rollups();
    PERFORM spotter.batch_gaps();
    PERFORM spotter.batch_rejected();
    RETURN QUERY
    SELECT t.site, n.node, t.epoch, coalesce(n.epoch = t.epoch, false), p.prefix, p.highest, p.missing_from,
           p.missing_to, coalesce(c.stored, 0)::int, coalesce(c.known, 0)::int
    FROM pg_temp.batch_stream t
    JOIN spotter.node n USING (node_id)
    JOIN spotter.stream s ON s.node_id = t.node_id AND s.epoch = t.epoch
    CROSS JOIN LATERAL spotter.positions(s.received) p
    LEFT JOIN (SELECT b.node_id, b.epoch, count(*) FILTER (WHERE b.written) AS stored,
                      count(*) FILTER (WHERE NOT b.written) AS known
               FROM pg_temp.batch_record b GROUP BY b.node_id, b.epoch) c
           ON c.node_id = t.node_id AND c.epoch = t.epoch;
END
$$;
COMMENT ON FUNCTION spotter.store_batch IS 'Stores the batch in the temporary tables of incoming.sql.';

-- What a set of received positions means. Positions begin at 1.
CREATE FUNCTION spotter.positions(received int8multirange)
RETURNS TABLE (prefix bigint, highest bigint, missing_from bigint, missing_to bigint, missing bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(lower(holes), top) - 1, top - 1, lower(holes), first_end - 1, coalesce(missing, 0)
    FROM (SELECT coalesce(upper(received), 1) AS top) AS t
    CROSS JOIN LATERAL (SELECT int8multirange(int8range(1, top)) - received AS holes) AS h
    LEFT JOIN LATERAL (
        SELECT min(upper(hole)) AS first_end, sum(upper(hole) - lower(hole))::bigint AS missing
        FROM unnest(holes) AS hole
    ) AS m ON true
$$;

-- A changed time zone: the local days of the gym's sessions are computed anew, and all its sums.
CREATE FUNCTION spotter.recompute_sites(maximum int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    sites int[];
BEGIN
    WITH taken AS (
        DELETE FROM spotter.day_mark
        WHERE day IS NULL
          AND site_id IN (SELECT DISTINCT site_id FROM spotter.day_mark WHERE day IS NULL ORDER BY 1 LIMIT maximum)
        RETURNING site_id
    )
    SELECT array_agg(DISTINCT site_id) INTO sites FROM taken;
    IF sites IS NULL THEN RETURN; END IF;
    -- A batch under way may have computed its days with the old time zone.
    PERFORM pg_advisory_xact_lock(spotter.lock_key('batch'));
    INSERT INTO spotter.day_mark (site_id, day)
    SELECT DISTINCT site_id, day FROM spotter.session WHERE site_id = ANY (sites);
    WITH moved AS (
        UPDATE spotter.session s SET day = (s.started AT TIME ZONE z.time_zone)::date
        FROM spotter.site z
        WHERE s.site_id = ANY (sites) AND z.site_id = s.site_id
          AND s.day <> (s.started AT TIME ZONE z.time_zone)::date
        RETURNING s.site_id, s.day
    )
    INSERT INTO spotter.day_mark (site_id, day) SELECT DISTINCT site_id, day FROM moved;
END
$$;

-- Days are taken in the order in which they were marked first.
CREATE FUNCTION spotter.refresh_days(maximum int) RETURNS int LANGUAGE plpgsql SET jit = off AS $$
DECLARE
    sites int[];
    days date[];
BEGIN
    PERFORM spotter.require_read_committed();
    IF NOT pg_try_advisory_xact_lock(spotter.lock_key('days')) THEN
        RETURN 0;  -- another sink is at it
    END IF;
    PERFORM spotter.recompute_sites(20);
    WITH due AS (
        SELECT site_id, day FROM spotter.day_mark WHERE day IS NOT NULL
        GROUP BY site_id, day ORDER BY min(mark_id) LIMIT maximum
    ), taken AS (
        DELETE FROM spotter.day_mark m USING due d WHERE m.site_id = d.site_id AND m.day = d.day
        RETURNING m.site_id, m.day
    ), pairs AS (
        SELECT DISTINCT site_id, day FROM taken
    )
    SELECT array_agg(site_id ORDER BY site_id, day), array_agg(day ORDER BY site_id, day) INTO sites, days FROM pairs;
    IF sites IS NULL THEN RETURN 0; END IF;
    PERFORM spotter.sum_gyms(sites, days);
    PERFORM spotter.sum_exercises(sites, days);
    PERFORM spotter.sum_hours(sites, days);
    RETURN cardinality(sites);
END
$$;
COMMENT ON FUNCTION spotter.refresh_days IS 'Recomputes the sums of marked days, at most so many; returns how many.';

CREATE FUNCTION spotter.is_time_zone(name text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT name NOT IN ('localtime', 'posixrules', 'Factory') AND name !~ '^(posix|right)/'
           AND EXISTS (SELECT FROM pg_catalog.pg_timezone_names z WHERE z.name = is_time_zone.name)
$$;

-- Also for an administrator's UPDATE of spotter.site.
CREATE FUNCTION spotter.time_zone_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT spotter.is_time_zone(NEW.time_zone) THEN
        RAISE EXCEPTION 'unknown time zone "%"; use a name such as Europe/Berlin', NEW.time_zone;
    END IF;
    INSERT INTO spotter.day_mark (site_id) VALUES (NEW.site_id);
    RETURN NEW;
END
$$;
CREATE TRIGGER time_zone_changed BEFORE UPDATE ON spotter.site
FOR EACH ROW WHEN (NEW.time_zone IS DISTINCT FROM OLD.time_zone) EXECUTE FUNCTION spotter.time_zone_changed();

-- For an administrator. The node cannot bring the session back, and it keeps its own copy: delete it there, too.
CREATE FUNCTION spotter.forget_session(node text, id uuid) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    place int;
    was_there boolean;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(spotter.lock_key('batch'));
    SELECT n.node_id INTO place FROM spotter.node n WHERE n.node = forget_session.node FOR NO KEY UPDATE;
    IF place IS NULL THEN
        RAISE EXCEPTION 'no node "%"', node;
    END IF;
    was_there := EXISTS (SELECT FROM spotter.session s WHERE s.id = forget_session.id AND s.node_id = place);
    INSERT INTO spotter.tombstone (id, node_id, rev) VALUES (forget_session.id, place, 2147483647)
    ON CONFLICT ON CONSTRAINT tombstone_pkey DO UPDATE SET rev = excluded.rev;
    PERFORM spotter.erase_sessions(ARRAY[place], ARRAY[forget_session.id]);
    RETURN was_there;
END
$$;
COMMENT ON FUNCTION spotter.forget_session IS 'Deletes a session for good; says whether it was there.';
