-- Which days are recomputed, and when. Batches, deletions, retention and changed time zones mark days, and the sink
-- calls refresh_days every few seconds.

-- Batches only add rows here, and refresh_days takes them. A batch that commits late leaves its own row, so no mark is
-- lost between the two.
CREATE TABLE spotter.day_mark (
    mark_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    site_id int NOT NULL,
    day date
);
CREATE INDEX day_mark_site ON spotter.day_mark (site_id) WHERE day IS NULL;
COMMENT ON TABLE spotter.day_mark IS
    'Days whose sums are to be recomputed. Without a day: the gym''s time zone changed.';

-- Days are taken in the order in which they were marked first.
CREATE FUNCTION spotter.refresh_days(maximum int) RETURNS int LANGUAGE plpgsql SET jit = off AS $$
DECLARE
    sites int[];
    days date[];
BEGIN
    PERFORM spotter.require_read_committed();
    IF NOT pg_try_advisory_xact_lock(spotter.lock_key('days')) THEN
        RETURN 0;  -- another sink does it
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

-- After a change of the time zone a gym's sessions get their local days anew, and all its days are marked.
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

CREATE FUNCTION spotter.is_time_zone(name text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT name NOT IN ('localtime', 'posixrules', 'Factory') AND name !~ '^(posix|right)/'
           AND EXISTS (SELECT FROM pg_catalog.pg_timezone_names z WHERE z.name = is_time_zone.name)
$$;

-- The trigger also serves an administrator who updates spotter.site.
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
