"""A fleet into PostgreSQL: 200 boards, a broker with certificates and an ACL, two consumers that share, all of
config/fleet. 20 boards are trackers, the others speak as these do (fleet-boards.py). Each consumer, the broker and half of the
trackers are killed on the way; each entry is a row, and how many came twice is said. `make peers` runs it.

fleet.py PROGRAMS PYTHON-PACKAGES [nats]: NATS has neither shared subscriptions nor MQTT 5, so that one consumer takes
all by 3.1.1. The consumer writes before it acknowledges, so that no board waits before it is killed.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

import psycopg

programs, packages = sys.argv[1:3]
isShared = "nats" not in sys.argv[3:]
version = "5" if isShared else "3.1.1"
house = pathlib.Path(__file__).resolve().parents[2]
fleet = house / "config/fleet"
work = pathlib.Path(tempfile.mkdtemp(prefix="fleet-"))
BOARDS, REAL, ENTRIES, PAUSE, BATCH = 200, 20, 100, 1.5, 10
LONGEST = 180
environment = {**os.environ, "PYTHONPATH": packages}
children = []


def start(command, **more):
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *map(str, command)], env=environment,
        stdout=open(work / "said", "a"), stderr=subprocess.STDOUT, **more)
    children.append(child)
    return child


def run(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **more).stdout


def kill(child):
    child.send_signal(signal.SIGKILL)
    child.wait()


def wait(what, condition):
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    print((work / "said").read_text()[-3000:])
    print("devices that lack rows, and which:", ask(f"""SELECT string_agg(device || ' ' || lacks, ', ') FROM (
        SELECT device, string_agg(number::text, ' ' ORDER BY number) AS lacks
        FROM (SELECT DISTINCT device FROM fleet.entries) d, generate_series(1, {ENTRIES}) number
        WHERE NOT EXISTS (SELECT FROM fleet.entries e WHERE e.device = d.device AND e.number = number.number)
        GROUP BY device) l"""))
    print("refused:", ask("SELECT topic, reason FROM fleet.refused LIMIT 5"))
    raise SystemExit(f"waited {LONGEST} s for {what}; there are {rows()} rows")


# --- PostgreSQL, of this run's own
def database():
    bin = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    data = work / "postgres"
    data.mkdir()
    user = []
    if os.geteuid() == 0:
        shutil.chown(data, "postgres")
        os.chmod(work, 0o711)
        user = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
    run(*user, bin / "initdb", "-D", data / "data", "-A", "trust", "-U", "fleet", cwd="/")
    start([*user, bin / "postgres", "-D", data / "data", "-k", data, "-h", ""], cwd="/")
    place = f"host={data} user=fleet dbname="
    wait("PostgreSQL", lambda: subprocess.run(
        ["psql", place + "postgres", "-c", "SELECT 1"], capture_output=True).returncode == 0)
    run("psql", place + "postgres", "-c", "CREATE DATABASE fleet")
    run("psql", place + "fleet", "-v", "ON_ERROR_STOP=1", "-f", fleet / "schema.sql")
    # Counts what comes, also in a transaction that is not committed.
    run("psql", place + "fleet", "-v", "ON_ERROR_STOP=1", "-c", """CREATE SEQUENCE public.came;
        CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM nextval('public.came'); RETURN NEW; END $$;
        CREATE TRIGGER note BEFORE INSERT ON fleet.entries FOR EACH ROW EXECUTE FUNCTION public.note()""")
    return place + "fleet"


def ask(sql):
    answer = subprocess.run(["psql", "-d", place, "-AtqX", "-v", "ON_ERROR_STOP=1", "-c", sql],
        capture_output=True, text=True)
    if answer.returncode:
        raise SystemExit(f"{sql}\n{answer.stderr}")
    return answer.stdout.strip()


def rows():
    return int(ask("SELECT count(*) FROM fleet.entries"))


# --- The broker, as config/fleet has it
def free_port():
    with socket.socket() as it:
        it.bind(("127.0.0.1", 0))
        return it.getsockname()[1] % 10_000 + 20_000


def ca(*words):
    return run(fleet / "ca", work / "ca", *words)


def configure_nats():
    (work / "nats.conf").write_text(f"""server_name: fleet
listen: "127.0.0.1:-1"
jetstream {{ store_dir: "{work}/broker" }}
mqtt {{
  listen: "127.0.0.1:{port}", max_ack_pending: 2000
  tls {{ cert_file: "{work}/ca/localhost.crt", key_file: "{work}/ca/localhost.key", ca_file: "{work}/ca/ca.crt", verify: true }}
}}
""")


def configure_mosquitto():
    text = (fleet / "mosquitto.conf").read_text()
    for old, new in [
        ("listener 8883", f"listener {port} 127.0.0.1"), ("/etc/mosquitto/ca/broker", f"{work}/ca/localhost"),
        ("/etc/mosquitto/ca", f"{work}/ca"), ("/etc/mosquitto/acl", str(fleet / "acl")),
    ]:
        assert old in text, old
        text = text.replace(old, new)
    (work / "broker").mkdir()
    (work / "mosquitto.conf").write_text(
        text + f"persistence_location {work}/broker/\nuser root\nlog_type error\n")


def is_open():
    with socket.socket() as it:
        return it.connect_ex(("127.0.0.1", port)) == 0


def broker():
    child = start(["/usr/sbin/mosquitto", "-c", work / "mosquitto.conf"] if isShared
        else ["nats-server", "-c", work / "nats.conf"])
    wait("the broker", is_open)
    return child


seen = [None, 0]


def has_written():
    """It has slept for a second, and its file has not changed: it writes with each change, into a file beside it."""
    words = pathlib.Path(f"/proc/{server.pid}/stat").read_text().rsplit(")", 1)[1].split()
    state, used = words[0], words[11:13]
    now = (used, (work / "broker/mosquitto.db").stat().st_mtime)
    if state != "S" or (work / "broker/mosquitto.db.new").exists() or now != seen[0]:
        seen[:] = now, time.monotonic()
    return time.monotonic() - seen[1] > 1


def private(process):
    """Kilobytes."""
    lines = pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Private_Dirty"))


def weigh_connections(count=200):
    """What idle connections by certificates take of the broker's memory."""
    sys.path.insert(0, packages)
    import paho.mqtt.client as mqtt
    before, clients = private(server), []
    for i in range(count):
        client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=f"idle-{i}", protocol=mqtt.MQTTv5)
        client.tls_set(*(str(work / "ca" / name) for name in ["ca.crt", f"board-{i + 1}.crt", f"board-{i + 1}.key"]))
        client.connect("localhost", port)
        clients.append(client)
        wait("a connection", lambda: client.loop(0.1) == 0 and client.is_connected())
    print(f"a connection by certificates takes {(private(server) - before) / count:.0f} kB of mosquitto's memory")
    for client in clients:
        client.disconnect()


def publish(name, topic, text):
    return subprocess.run(
        ["mosquitto_pub", "-V", version, "-q", "1", "-h", "localhost", "-p", str(port), "--cafile", work / "ca/ca.crt",
         "--cert", work / f"ca/{name}.crt", "--key", work / f"ca/{name}.key", "-t", topic, "-m", text],
        capture_output=True, text=True)


def consumer(name):
    return start(
        ["/usr/bin/python3", fleet / "ingest.py", "--name", name, "--version", version, "--port", port,
         "--group", "ingest" if isShared else "", "--ca", work / "ca/ca.crt",
         "--certificate", work / "ca/ingest.crt", "--key", work / "ca/ingest.key", "--database", place])


def twice():
    """A consumer's transaction that is not committed yet has come, and is no row: it is waited for."""
    return int(ask("""BEGIN; LOCK TABLE fleet.entries IN SHARE MODE;
        SELECT (SELECT last_value FROM public.came) - (SELECT count(*) FROM fleet.entries); COMMIT"""))


# --- Real trackers, each with a track that nobody has seen yet
def command(number):
    folder = work / f"board-{number}"
    return [
        programs + "/locationd-tracker", "--config", folder / "conf", "--bus", "none", "--socket", folder / "t",
        "--state", folder, "--daemon", folder / "none"]


def make_track(number):
    folder = work / f"board-{number}"
    folder.mkdir()
    (folder / "conf").write_text(f"""[Uplink fleet]
URL=mqtts://localhost:{port}/fleet/board-{number}?format=json
CA={work}/ca/ca.crt
Certificate={work}/ca/board-{number}.crt
Key={work}/ca/board-{number}.key
Batch={BATCH}
Rate={BATCH / PAUSE:.1f}/s
Retain=no
""")
    child = start(command(number))
    wait("a tracker", (folder / "t").exists)
    child.terminate()
    child.wait()
    track = sqlite3.connect(folder / "track.db")
    track.execute("""WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO entries (number, kind, time, latitude, longitude, accuracy, speed, course)
        SELECT i, CASE i WHEN 40 THEN 1 WHEN 60 THEN 2 ELSE 0 END, 1790000000000000 + i * 60000000,
          450000000 + i * 10000, 70000000, 500, 2000, 0 FROM n""", (ENTRIES,))
    track.execute("UPDATE entries SET arrival = 1790000000000000 + 40 * 60000000 WHERE number = 60")
    track.commit()
    track.close()


def queries():
    """Each query of the board, as Grafana asks it."""
    board = json.loads((fleet / "grafana.json").read_text())
    yield from (variable["query"] for variable in board["templating"]["list"] if variable["type"] == "query")
    times = ["'2020-01-01T00:00:00Z'::timestamptz", "'2100-01-01T00:00:00Z'::timestamptz"]
    for target in (target for panel in board["panels"] for target in panel["targets"]):
        sql = target["rawSql"]
        sql = re.sub(r"\$__timeFilter\((\w+)\)", rf"\1 BETWEEN {times[0]} AND {times[1]}", sql)
        sql = re.sub(
            r"\$__timeGroupAlias\((\w+), \$__interval\)", r"floor(extract(epoch FROM \1) / 60) * 60 AS time", sql)
        sql = sql.replace("$__timeFrom()", times[0]).replace("$__timeTo()", times[1])
        sql = sql.replace("${device:sqlstring}", "'board-1'")
        assert "$" not in sql, sql
        yield sql


def make_month_twice():
    """The second transaction waits for the first, and finds the month; what it says else, for nothing."""
    first, second = (psycopg.connect(place) for _ in range(2))
    said = []

    def make():
        try:
            second.execute("SELECT fleet.add_month('2001-01-01')")
            second.commit()
        except psycopg.Error as error:
            said.append(str(error))

    first.execute("SELECT fleet.add_month('2001-01-01')")
    other = threading.Thread(target=make)
    other.start()
    wait("the second to wait", lambda: ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") == "1")
    first.commit()
    other.join()
    first.close(), second.close()
    return said


def check(what, holds):
    print(("holds: " if holds else "FAILS: ") + what, flush=True)
    if not holds:
        raise SystemExit((work / "said").read_text()[-3000:] if (work / "said").exists() else 1)


try:
    port = free_port()
    place = database()
    said = make_month_twice()
    check(f"two that make a month at once make one {said or ''}", not said)
    ca("init"), ca("server", "localhost"), ca("client", "ingest")
    for number in range(1, BOARDS + 1):
        ca("client", f"board-{number}")
    configure_mosquitto() if isShared else configure_nats()
    server = broker()
    consumers = {name: consumer(name) for name in ["ingest-1", "ingest-2"][:2 if isShared else 1]}
    wait("the consumers", lambda: (work / "said").read_text().count("Success") >= len(consumers))
    if isShared:
        weigh_connections()
    for number in range(1, REAL + 1):
        make_track(number)
    begin = time.monotonic()
    boards = [start(["/usr/bin/python3", house / "Tests/Servers/fleet-boards.py", work / "ca", port, REAL + 1, BOARDS,
        ENTRIES, PAUSE, version])]
    boards += [start(command(number)) for number in range(1, REAL + 1)]
    whole = BOARDS * ENTRIES
    killed = REAL // 2
    sent = f"SELECT count(*) FROM fleet.entries WHERE split_part(device, '-', 2)::int <= {killed}"
    wait("the trackers", lambda: int(ask(sent)) >= killed * ENTRIES / 5)
    before = twice()
    print(f"{rows()} rows: kill -9 of {killed} trackers, in their work", flush=True)
    for number in range(1, killed + 1):
        kill(boards[number])
    held = int(ask(sent))
    check(f"the trackers had {held} of their {killed * ENTRIES} rows then", held < killed * ENTRIES)
    for number in range(1, killed + 1):
        boards[number] = start(command(number))
    wait("a fifth", lambda: rows() >= whole / 5)
    wait("the trackers again", lambda: int(ask(sent)) > held)
    again = twice() - before
    check(f"{again} came twice after that, of {killed * BATCH} that may have been under way", again <= killed * BATCH)
    print(f"{rows()} rows: kill -9 of a consumer", flush=True)
    kill(consumers["ingest-1"])
    if isShared:
        # This one stays away: half of the rest waits for it.
        wait("two fifths", lambda: rows() >= whole * 2 / 5)
        # mosquitto acknowledges before it writes: the boards wait until it has.
        for board in boards:
            board.send_signal(signal.SIGSTOP)
        wait("the broker to have written", has_written)
    print(f"{rows()} rows: kill -9 of the broker", flush=True)
    kill(server)
    for board in boards:
        board.send_signal(signal.SIGCONT)
    server = broker()
    consumers["ingest-1"] = consumer("ingest-1")
    wait("four fifths", lambda: rows() >= whole * 4 / 5)
    last = sorted(consumers)[-1]
    print(f"{rows()} rows: kill -9 of {last}, in its work", flush=True)
    kill(consumers[last])
    consumers[last] = consumer(last)
    wait("all rows", lambda: rows() >= whole)
    seconds = time.monotonic() - begin
    print(f"{twice()} entries came twice, after kills of two consumers, a broker and {killed} trackers")
    check(f"{rows()} of {whole} rows of {BOARDS} boards, {REAL} of them real trackers, in {seconds:.0f} s",
        rows() == whole)
    counts = ask("SELECT count(*), min(n), max(n) FROM (SELECT count(DISTINCT number) n FROM fleet.entries GROUP BY device) d")
    check("each device has each of its numbers", counts == f"{BOARDS}|{ENTRIES}|{ENTRIES}")
    check("no number is missing", ask("SELECT count(*) FROM fleet.gaps") == "0")
    check("nothing was refused", ask("SELECT count(*) FROM fleet.refused") == "0")
    check("entries lie in their months", ask("SELECT count(*) FROM fleet.entries_other") == "0")
    check("each device has its last place", ask("SELECT count(*) FROM fleet.last_places") == str(BOARDS))
    check("a stay has its arrival and its departure",
        ask("SELECT extract(epoch FROM departure - arrival)::int FROM fleet.stays WHERE device = 'board-1'") == "1200")
    check("what lies around a stay are two trips",
        ask("SELECT string_agg(entries::text, ' ' ORDER BY begins) FROM fleet.trips WHERE device = 'board-1'") == "39 40")

    if not isShared:
        raise SystemExit(0)
    kill(boards[1])
    wait("the will", lambda: ask("SELECT gone FROM fleet.devices WHERE device = 'board-1'") == "t")
    check("a tracker that was killed is gone", True)

    other = publish("board-2", "fleet/board-3", "{}")
    check("a board cannot speak for another", other.returncode != 0 or "Not authorized" in other.stderr)
    for text in ["nonsense", "{}", '{"track":"x","entries":[{"number":"one"}]}', '{"track":"\\u0000","entries":[]}']:
        assert publish("board-2", "fleet/board-2", text).returncode == 0
    wait("the refused", lambda: ask("SELECT count(*) FROM fleet.refused") == "4")
    check("what is no message is put aside, with a reason, and nothing waits for it", rows() == whole)

    late = {"number": 1, "kind": "place", "timestamp": "1999-12-31T23:59:59Z", "latitude": 1, "longitude": 2,
        "horizontalAccuracy": 3}
    publish("board-2", "fleet/board-2", json.dumps({"track": "other", "entries": [late]}))
    wait("the old date", lambda: ask("SELECT count(*) FROM fleet.entries_other") == "1")
    ask("SELECT fleet.add_month('1999-12-01')")
    check("a month that is made later takes its entries over",
        ask("SELECT count(*) FROM fleet.entries_1999_12") == "1" and rows() == whole + 1)
    ask("DELETE FROM fleet.entries WHERE device = 'board-9' AND number IN (7, 8)")
    check("numbers that are missing are told", ask("SELECT device, first, last FROM fleet.gaps") == "board-9|7|8")
    # Boards that were killed are gone, one month is asked for, and some messages were refused: each panel has rows.
    answers = [ask(sql) for sql in queries()]
    empty = [sql for sql, answer in zip(queries(), answers) if not answer]
    check(f"each of the board's {len(answers)} queries has an answer {empty or ''}", not empty)
    check("a device of Grafana's list is each that was heard", len(answers[0].splitlines()) == BOARDS)

    # Speed of the database alone, without a broker: batches of 2,000 messages of one entry.
    batch = """SELECT array_agg('board-' || i % 10000), array_agg(json_build_object('track', 'speed', 'entries',
      json_build_array(json_build_object('number', {0} + i, 'kind', 'place', 'timestamp', '2026-10-01T00:00:00Z'::timestamptz
      + i * interval '1 s', 'latitude', 45, 'longitude', 7, 'horizontalAccuracy', 5)))::text) FROM generate_series(1, 2000) i"""
    begin = time.monotonic()
    for i in range(10):
        ask(f"SELECT fleet.take(d, m) FROM ({batch.format(i * 2000)}) AS b(d, m)")
    print(f"one connection: {20_000 / (time.monotonic() - begin):.0f} messages a second in batches of 2,000")
    size = int(ask("SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits"))
    print(f"{size / rows():.0f} bytes a row, with its indexes")
finally:
    for child in children:
        if child.poll() is None:
            child.send_signal(signal.SIGTERM)
    for child in children:
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            kill(child)
    shutil.rmtree(work, ignore_errors=True)
