"""Boards of a fleet in one process, that speak as the tracker does with ?format=json, Retain=no and Batch=10, a batch each PAUSE seconds.

fleet-boards.py AUTHORITY PORT FIRST LAST ENTRIES PAUSE VERSION: a board holds one batch under way, and sends it again on a
new connection until the broker has confirmed it, and somebody was there to hear it.
"""
import json
import random
import sys
import time

import paho.mqtt.client as mqtt

folder, port, first, last, entries, pause = sys.argv[1], *map(float, sys.argv[2:7])
version = {"5": mqtt.MQTTv5, "3.1.1": mqtt.MQTTv311}[sys.argv[7]]
BATCH = 10
NOBODY = 16  # MQTT 5's answer to a message that nobody has subscribed to: the broker has thrown it away
BEGIN = 1_790_000_000
chance = random.Random(4711)


class Board:
    def __init__(self, number):
        self.name, self.track = f"board-{number}", f"{number:016x}"
        self.next, self.due, self.client = 1, time.monotonic() + chance.random() * pause, None
        self.isWaiting = False

    def connect(self):
        client = mqtt.Client(
            mqtt.CallbackAPIVersion.VERSION2, client_id=f"locationd-fleet-{self.name}-{self.track[:8]}",
            protocol=version)
        client.tls_set(f"{folder}/ca.crt", f"{folder}/{self.name}.crt", f"{folder}/{self.name}.key")
        will = {"device": self.name, "track": self.track, "gone": date(time.time())}
        client.will_set(f"fleet/{self.name}", json.dumps(will), qos=1)
        client.on_connect = lambda *_: self.opened()
        client.on_publish = lambda _, data, number, answer, more: self.confirmed(answer)
        client.connect("localhost", int(port))
        self.client, self.isOpen = client, False

    def opened(self):
        self.isOpen, self.isWaiting = True, False

    def confirmed(self, answer):
        self.isWaiting = False
        if answer.value == NOBODY:
            self.due = time.monotonic() + 1 + chance.random()
            return
        self.next += BATCH
        self.due = time.monotonic() + pause

    def send(self):
        batch = [entry(self.name, number) for number in range(self.next, min(self.next + BATCH, int(entries) + 1))]
        self.client.publish(
            f"fleet/{self.name}", json.dumps({"device": self.name, "track": self.track, "entries": batch}), qos=1)
        self.isWaiting = True

    def turn(self):
        """False once all is confirmed."""
        if self.next > entries:
            return False
        if time.monotonic() < self.due:
            if self.client:
                self.client.loop(0)
            return True
        if self.client is None:
            try:
                self.connect()
            except OSError:
                self.due = time.monotonic() + 1 + chance.random()
                return True
        if self.client.loop(0) != mqtt.MQTT_ERR_SUCCESS:
            self.client = None
        elif self.isOpen and not self.isWaiting:
            self.send()
        return True


def date(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + ".000Z"


def entry(name, number):
    return {
        "number": number, "kind": "place", "timestamp": date(BEGIN + 60 * number),
        "latitude": 45 + number * 0.001, "longitude": 7 + int(name.split("-")[1]) * 0.01, "horizontalAccuracy": 5,
        "speed": 12.5, "course": 0, "battery": 80}


boards = [Board(number) for number in range(int(first), int(last) + 1)]
while boards:
    boards = [board for board in boards if board.turn()]
    time.sleep(0.005)
