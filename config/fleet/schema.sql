-- The tracks of a fleet in PostgreSQL 13 or later with PostGIS: psql -d fleet -f schema.sql
CREATE EXTENSION IF NOT EXISTS postgis;
CREATE SCHEMA fleet;

-- Repetition is harmless: an entry's key is its device, its track (a new disk begins a new one) and its number.
-- The time is in the key because it names the partition.
CREATE TABLE fleet.entries (
  device    text NOT NULL,
  track     text NOT NULL,
  number    bigint NOT NULL,
  time      timestamptz NOT NULL,
  kind      text NOT NULL CHECK (kind IN ('place', 'arrival', 'departure', 'enter', 'leave')),
  place     geography(Point, 4326) NOT NULL,
  accuracy  real NOT NULL,      -- metres
  altitude  real,
  speed     real,               -- metres per second
  course    real,               -- degrees from true north
  region    text,               -- that was entered or left
  arrival   timestamptz,        -- the stay's beginning and end
  departure timestamptz,
  battery   smallint,           -- percent
  more      jsonb,              -- the rest of the entry
  PRIMARY KEY (device, track, number, time)
) PARTITION BY RANGE (time);
CREATE INDEX ON fleet.entries (device, time);
CREATE INDEX ON fleet.entries (device, time) WHERE kind IN ('arrival', 'departure');

-- Dates that have no month, such as those of a clock that was never set.
CREATE TABLE fleet.entries_other PARTITION OF fleet.entries DEFAULT;

-- A row for each device: its newest place, and what was heard of it.
CREATE TABLE fleet.devices (
  device   text PRIMARY KEY,
  track    text NOT NULL,
  heard    timestamptz NOT NULL DEFAULT now(),
  gone     boolean NOT NULL,
  time     timestamptz,
  place    geography(Point, 4326),
  accuracy real,
  battery  smallint
);

-- Messages that cannot be taken.
CREATE TABLE fleet.refused (
  at timestamptz NOT NULL DEFAULT now(), topic text NOT NULL, reason text NOT NULL, message bytea NOT NULL
);

-- Makes a month's partition. An old month goes at once by: DROP TABLE fleet.entries_2026_11;
CREATE FUNCTION fleet.add_month(month date) RETURNS void
LANGUAGE plpgsql SET search_path = fleet, public, pg_temp AS $$
DECLARE
  name text := to_char(month, '"entries_"YYYY_MM');
  first timestamptz := month::timestamp AT TIME ZONE 'UTC';
  next timestamptz := (month + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  -- Of consumers at once one makes it. After a lock of a table, unlike an advisory one, the others know that it is there.
  LOCK TABLE ONLY entries IN SHARE UPDATE EXCLUSIVE MODE;
  IF to_regclass(name) IS NOT NULL THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE entries INCLUDING ALL)', name);
  EXECUTE format('WITH moved AS (DELETE FROM entries_other WHERE time >= %L AND time < %L RETURNING *)
    INSERT INTO %I SELECT * FROM moved', first, next, name);
  EXECUTE format('ALTER TABLE entries ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, first, next);
END $$;

-- Takes messages in our own words; tells how many entries are new. The name of a device is that of its topic, for
-- which the broker's ACL answers, and not that in the message.
CREATE FUNCTION fleet.take(devices text[], messages text[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = fleet, public, pg_temp AS $$
DECLARE
  news entries[];
  taken bigint;
BEGIN
  -- A heartbeat has the number 0: it is a place of the device, and no part of the track.
  news := ARRAY(
    SELECT ROW(t.device, m->>'track', e->>'number', e->>'timestamp', e->>'kind',
      ST_MakePoint((e->>'longitude')::float8, (e->>'latitude')::float8)::geography, e->>'horizontalAccuracy',
      e->>'altitude', e->>'speed', e->>'course', e->>'region', e->>'arrivalDate', e->>'departureDate',
      e->>'battery', nullif(e - '{number,timestamp,kind,longitude,latitude,horizontalAccuracy,altitude}'::text[]
        - '{speed,course,region,arrivalDate,departureDate,battery}'::text[], '{}'))::entries
    FROM unnest(devices, messages) AS t(device, message), jsonb(t.message) AS m, jsonb_array_elements(
      CASE WHEN m ? 'entries' THEN m->'entries' WHEN m ? 'heartbeat' THEN jsonb_build_array(m->'heartbeat')
        ELSE '[]' END) AS e);

  -- In the order of names: where two consumers have the same devices, one waits for the other.
  INSERT INTO devices (device, track, gone)
  SELECT DISTINCT ON (t.device) t.device, m->>'track', m ? 'gone'
  FROM unnest(devices, messages) WITH ORDINALITY AS t(device, message, i), jsonb(t.message) AS m
  ORDER BY t.device, i DESC
  ON CONFLICT (device) DO UPDATE SET track = excluded.track, gone = excluded.gone, heard = now();

  PERFORM add_month(month) FROM (
    SELECT DISTINCT date_trunc('month', time AT TIME ZONE 'UTC')::date AS month FROM unnest(news)
    WHERE number > 0 AND time > '2020-01-01Z' AND time < now() + interval '1 month') AS months;
  INSERT INTO entries SELECT * FROM unnest(news) WHERE number > 0 ON CONFLICT DO NOTHING;
  GET DIAGNOSTICS taken = ROW_COUNT;

  UPDATE devices AS known
  SET time = new.time, place = new.place, accuracy = new.accuracy, battery = new.battery
  FROM (SELECT DISTINCT ON (device) * FROM unnest(news) WHERE time < now() + interval '1 day'
    ORDER BY device, time DESC) AS new
  WHERE known.device = new.device AND (known.time IS NULL OR known.time < new.time);
  RETURN taken;
END $$;

CREATE FUNCTION fleet.refuse(topic text, reason text, message bytea) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = fleet, pg_temp AS $$
  INSERT INTO refused (topic, reason, message) VALUES (topic, reason, message)
$$;

CREATE VIEW fleet.last_places AS
SELECT device, heard, gone, time, ST_Y(place::geometry) AS latitude, ST_X(place::geometry) AS longitude,
  accuracy, battery, place
FROM fleet.devices WHERE time IS NOT NULL;

-- Numbers of a track that are not here while later ones are: a broker lost them, they are under way, or the board
-- has thinned its track before it could send them.
CREATE VIEW fleet.gaps AS
SELECT device, track, before + 1 AS first, number - 1 AS last, time FROM (
  SELECT device, track, number, time,
    lag(number, 1, 0::bigint) OVER (PARTITION BY device, track ORDER BY number) AS before
  FROM fleet.entries) AS entry
WHERE number > before + 1;

-- A stay that lasts has no departure.
CREATE VIEW fleet.stays AS
SELECT device, arrival, departure, place, accuracy FROM fleet.entries WHERE kind = 'departure'
UNION ALL
SELECT device, arrival, NULL, place, accuracy FROM fleet.entries AS begun
WHERE kind = 'arrival' AND NOT EXISTS (
  SELECT FROM fleet.entries AS other
  WHERE other.device = begun.device AND other.kind IN ('arrival', 'departure') AND other.time > begun.time);

-- A trip lies between two stays, before the first or after the last.
CREATE VIEW fleet.trips AS
SELECT edge.device, line.begins, line.ends, line.metres, line.entries, line.way
FROM (
  SELECT device, departure AS after,
    lead(coalesce(arrival, departure)) OVER (PARTITION BY device ORDER BY departure NULLS LAST) AS before
  FROM (SELECT device, arrival, departure FROM fleet.stays
    UNION ALL SELECT device, '-infinity', '-infinity' FROM fleet.devices) AS stay
) AS edge, LATERAL (
  SELECT min(time) AS begins, max(time) AS ends, count(*) AS entries,
    ST_MakeLine(place::geometry ORDER BY time, number)::geography AS way,
    ST_Length(ST_MakeLine(place::geometry ORDER BY time, number)::geography) AS metres
  FROM fleet.entries
  WHERE device = edge.device AND time >= edge.after AND time <= coalesce(edge.before, 'infinity')
    AND kind IN ('place', 'enter', 'leave')
) AS line
WHERE edge.after IS NOT NULL AND line.entries > 1 AND line.metres >= 200;
