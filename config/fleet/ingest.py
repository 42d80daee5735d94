#!/usr/bin/env python3
"""Takes the tracks of a fleet from a broker into PostgreSQL, with paho-mqtt 2 and psycopg 3.

A message is confirmed to the broker once the transaction that it is in is committed: what comes again after a
crash changes nothing. Run as many as are needed, each with a --name of its own that it keeps: the broker shares the
messages out among them, and holds what it has given to one that is away.
"""
import argparse
import sys
import time

import paho.mqtt.client as mqtt
import psycopg
from paho.mqtt.packettypes import PacketTypes

MOST = 2000  # messages in a transaction
PAUSE = 0.1  # seconds without a message end it earlier

options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
options.add_argument("--name", required=True, help="the client's name at the broker")
options.add_argument("--host", default="localhost")
options.add_argument("--port", type=int, default=8883)
options.add_argument("--ca", help="the broker's authority; without it there is no TLS")
options.add_argument("--certificate")
options.add_argument("--key")
options.add_argument("--topic", default="fleet/+", help="the devices' topics (%(default)s)")
options.add_argument("--group", default="ingest", help="of those that share; '' for a broker that shares nothing out")
options.add_argument("--version", default="5", choices=["5", "3.1.1"], help="of MQTT (%(default)s)")
options.add_argument("--database", default="dbname=fleet", help="as libpq has it (%(default)s)")
given = options.parse_args()
batch = []  # what came on this connection and is not confirmed


def subscribe(client, _, flags, reason, properties):
    print(f"{given.name}: {given.host} says: {reason}", file=sys.stderr)
    if not reason.is_failure:
        client.subscribe(f"$share/{given.group}/{given.topic}" if given.group else given.topic, qos=1)


def take(database, messages):
    """One transaction. Where a message is none, halves find it."""
    try:
        with database.transaction():
            names = [message.topic.rsplit("/", 1)[-1] for message in messages]
            texts = [message.payload.decode() for message in messages]
            database.execute("SELECT fleet.take(%s::text[], %s::text[])", (names, texts))
    except (psycopg.DataError, psycopg.IntegrityError, psycopg.InternalError, UnicodeError) as error:
        # Other errors are not the message's fault: it comes again.
        if len(messages) == 1:
            database.execute(
                "SELECT fleet.refuse(%s, %s, %s)", (messages[0].topic, str(error), messages[0].payload))
            return
        take(database, messages[: len(messages) // 2])
        take(database, messages[len(messages) // 2 :])


how = dict(protocol=mqtt.MQTTv5) if given.version == "5" else dict(protocol=mqtt.MQTTv311, clean_session=False)
client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, client_id=given.name, manual_ack=True, **how)
client.on_connect = subscribe
# An empty one clears a retained message.
client.on_message = lambda client, _, message: batch.append(message)
if given.ca:
    client.tls_set(given.ca, given.certificate, given.key)
session = mqtt.Properties(PacketTypes.CONNECT)
session.SessionExpiryInterval = 7 * 86_400
session.ReceiveMaximum = MOST
again = dict(clean_start=False, properties=session) if given.version == "5" else {}
database = None
while True:
    try:
        database = database or psycopg.connect(given.database, autocommit=True)
        # Messages that were not confirmed come again, and their numbers may be others' on the new connection.
        batch.clear()
        client.connect(given.host, given.port, **again)
        count = 0
        while client.loop(PAUSE) == mqtt.MQTT_ERR_SUCCESS:
            if batch and len(batch) in (count, MOST):
                take(database, [message for message in batch if message.payload])
                for message in batch:
                    client.ack(message.mid, message.qos)
                batch.clear()
            count = len(batch)
    except psycopg.Error as error:
        print(f"{given.name}: the database: {error}", file=sys.stderr)
        database = None
    except OSError as error:
        print(f"{given.name}: {given.host}: {error}", file=sys.stderr)
    time.sleep(1)
