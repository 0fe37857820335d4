-- The roles of the fleet's database. An administrator (a superuser, or a role with CREATEROLE) runs this file before
-- the schema is made. It may be run again. It sets no passwords: peer or certificate authentication needs none.
-- Otherwise:
--   ALTER ROLE spotter_sink PASSWORD '…';
DO $$
DECLARE
    wanted record;
BEGIN
    FOR wanted IN
        SELECT * FROM (VALUES
            ('spotter_owner', 'LOGIN', 'Owns the schema spotter and migrates it.'),
            ('spotter_sink', 'LOGIN', 'Stores what the nodes say.'),
            ('spotter_reader', 'NOLOGIN', 'Reads the views, of the sites that spotter.site_reader gives it.'),
            ('spotter_reader_all', 'NOLOGIN', 'Reads the views, of every site.')
        ) AS roles (name, login, purpose)
    LOOP
        IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = wanted.name) THEN
            EXECUTE format('CREATE ROLE %I %s NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS',
                           wanted.name, wanted.login);
        END IF;
        EXECUTE format('COMMENT ON ROLE %I IS %L', wanted.name, wanted.purpose);
    END LOOP;
END
$$;

GRANT spotter_reader TO spotter_reader_all;
