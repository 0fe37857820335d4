-- The months of sessions and rollups, and retention. The sink calls ensure_partitions and drop_before. These two create
-- and drop tables, so they run as the owner (SECURITY DEFINER), with a fixed search_path. They take nothing from the
-- caller but a number.

-- The lowest UUIDv7 of a month: its first 48 bits are milliseconds since 1970.
CREATE FUNCTION spotter.first_id(month date) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex((extract(epoch FROM month::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- Revisions replace rows, so a month is vacuumed when 5 % of it are old versions, and not only at 20 %: it stays near
-- its packed size. Rows that went to the last partition before the month had its own are moved.
CREATE FUNCTION spotter.make_partition(parent text, month date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    name text := parent || to_char(month, '_YYYY_MM');
    low uuid := spotter.first_id(month);
    high uuid := spotter.first_id((month + interval '1 month')::date);
BEGIN
    EXECUTE format('CREATE TABLE spotter.%I (LIKE spotter.%I INCLUDING ALL)
                    WITH (autovacuum_vacuum_scale_factor = 0.05)', name, parent);
    EXECUTE format('WITH moved AS (DELETE FROM spotter.%I WHERE id >= %L AND id < %L RETURNING *)
                    INSERT INTO spotter.%I SELECT * FROM moved', parent || '_other', low, high, name);
    EXECUTE format('ALTER TABLE spotter.%I ATTACH PARTITION spotter.%I FOR VALUES FROM (%L) TO (%L)',
                   parent, name, low, high);
END
$$;

-- The months go from 12 back, or from where retention begins, to 2 ahead. A long query of a dashboard may hold the
-- tables. Then the rest waits for the next call: two months are time enough.
CREATE FUNCTION spotter.ensure_partitions() RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '3s' AS $$
DECLARE
    this_month date := date_trunc('month', now() AT TIME ZONE 'UTC')::date;
    wanted record;
    made int := 0;
BEGIN
    FOR wanted IN
        SELECT parent, month::date AS month
        FROM unnest(ARRAY['session', 'rollup']) AS parent
        CROSS JOIN generate_series(this_month - interval '12 months', this_month + interval '2 months',
                                   interval '1 month') AS month
        WHERE to_regclass('spotter.' || parent || to_char(month, '_YYYY_MM')) IS NULL
          AND month >= coalesce((SELECT begins FROM spotter.retention), '-infinity')
        ORDER BY month DESC, parent
    LOOP
        IF made = 0 THEN
            PERFORM pg_advisory_xact_lock(spotter.lock_key('batch'));
            -- Two sinks may have waited for each other.
            CONTINUE WHEN to_regclass('spotter.' || wanted.parent || to_char(wanted.month, '_YYYY_MM')) IS NOT NULL;
        END IF;
        PERFORM spotter.make_partition(wanted.parent, wanted.month);
        made := made + 1;
    END LOOP;
    RETURN made;
EXCEPTION
    WHEN lock_not_available THEN
        RAISE WARNING 'spotter.ensure_partitions: a long query holds the tables; call it again later';
        RETURN 0;
END
$$;
COMMENT ON FUNCTION spotter.ensure_partitions IS 'Makes the partitions that are missing; returns how many.';

-- The partitions of a table that are months, and where each month ends.
CREATE FUNCTION spotter.months(parent text) RETURNS TABLE (partition text, month_end date) LANGUAGE sql STABLE AS $$
    SELECT c.relname::text, (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month')::date
    FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = ('spotter.' || parent)::regclass AND c.relname ~ '_\d{4}_\d\d$'
    ORDER BY 2
$$;

CREATE TABLE spotter.retention (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    begins date NOT NULL
);
COMMENT ON TABLE spotter.retention IS 'The first day that the last call of drop_before kept.';

-- Keeps this month and so many months before it. A partition is dropped when nothing in it is younger; otherwise its
-- older rows are deleted. The sums go with the sessions, so they always say what the tables hold.
CREATE FUNCTION spotter.drop_before(keep_months int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '5s' AS $$
DECLARE
    begins date := (date_trunc('month', now() AT TIME ZONE 'UTC') - make_interval(months => keep_months))::date;
    moment timestamptz := begins::timestamp AT TIME ZONE 'UTC';
    old record;
    newest timestamptz;
    dropped int := 0;
BEGIN
    IF keep_months IS NULL OR keep_months <= 0 THEN RETURN 0; END IF;
    PERFORM pg_advisory_xact_lock(spotter.lock_key('days'));
    PERFORM pg_advisory_xact_lock(spotter.lock_key('batch'));
    INSERT INTO spotter.retention (begins) VALUES (begins)
    ON CONFLICT (only_row) DO UPDATE SET begins = excluded.begins;
    FOR old IN
        SELECT m.* FROM unnest(ARRAY['session', 'rollup']) AS parent CROSS JOIN LATERAL spotter.months(parent) m
        WHERE m.month_end <= begins
    LOOP
        EXECUTE format('SELECT max(started) FROM spotter.%I', old.partition) INTO newest;
        IF newest IS NULL OR newest < moment THEN
            EXECUTE format('DROP TABLE spotter.%I', old.partition);
            dropped := dropped + 1;
        ELSE
            EXECUTE format('DELETE FROM spotter.%I WHERE started < %L', old.partition, moment);
        END IF;
    END LOOP;
    PERFORM spotter.delete_before(moment, begins);
    PERFORM spotter.drop_sums(begins);
    RETURN dropped;
END
$$;
COMMENT ON FUNCTION spotter.drop_before IS
    'Retention: keeps this month and so many before it, everything with 0; returns how many partitions were dropped.';

-- Deletes old rows in the other tables and in young months: where a clock was wrong, a session that began long ago has
-- a young id. These sessions are few, and the index on gym and day finds them without reading whole months.
CREATE FUNCTION spotter.delete_before(moment timestamptz, begins date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    old uuid[];
BEGIN
    DELETE FROM spotter.session_other WHERE started < moment;
    SELECT array_agg(s.id) INTO old
    FROM spotter.site z
    CROSS JOIN LATERAL (SELECT id FROM spotter.session
                        WHERE site_id = z.site_id AND day <= begins AND started < moment OFFSET 0) s;
    DELETE FROM spotter.session WHERE id = ANY (old) AND started < moment;
    DELETE FROM spotter.rollup WHERE started < moment;
    DELETE FROM spotter.workout WHERE started < moment;
    -- An absence that lasts is kept, however long ago it began.
    DELETE FROM spotter.absence WHERE ended < moment;
    DELETE FROM spotter.rejected WHERE received < moment;
    DELETE FROM spotter.tombstone WHERE deleted < moment;
END
$$;

-- The limit is a moment in UTC, so a part of the local days next to it may be left. These are recomputed.
CREATE FUNCTION spotter.drop_sums(begins date) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM spotter.gym_sum WHERE day < begins - 1;
    DELETE FROM spotter.exercise_sum WHERE day < begins - 1;
    DELETE FROM spotter.hour_sum WHERE day < begins - 1;
    INSERT INTO spotter.day_mark (site_id, day)
    SELECT site_id, day FROM spotter.gym_sum WHERE day BETWEEN begins - 1 AND begins + 1;
END
$$;
