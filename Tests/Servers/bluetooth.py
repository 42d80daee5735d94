#!/usr/bin/python3
"""The real bluetoothd on adapters of btvirt, in a virtual machine, with locationd: bluetooth.py PROGRAMS FOLDER
A beacon is ranged, entered, left and entered again; bluetoothd and the adapter go and come back; no discovery is left when no
client wants one; the machine is a beacon itself. Some minutes; nothing is installed."""
import os, sys

from machine import play

text = play(sys.argv[1], sys.argv[2], "bluetooth-init")
said = [line[2:].strip().split(" ", 1) for line in text.splitlines() if line.startswith("@ ")]
wrong = []


def expect(condition, words):
    print(("* " if condition else "FAILED: ") + words, flush=True)
    if not condition:
        wrong.append(words)


def words(name):
    return [rest[0] if rest else "" for first, *rest in said if first == name]


def span(name):
    times = [float(word) for word in (words(name) or ["0 0"])[0].split()]
    return times[1] - times[0]


expect(words("end") == [""] and not words("failed"), f"the machine plays to its end: {words('failed')}")
expect(words("idle") == [""], "no discovery while no client wants one")
for name, what in ("range", "the beacon is ranged"), ("restart", "and again after bluetoothd was killed"):
    expect('"minor":2' in (words(name) or [""])[0], f"{what}: {words(name)}")
expect(len(words("enter")) == 1 and len(words("back")) == 1, "its region is entered with it, and again when it comes back")
expect(9 <= span("gone") <= 14, f"it is listed no more after {span('gone'):.1f} s of silence")
expect(29 <= span("leave") <= 40, f"its region is left after {span('leave'):.1f} s of silence")
expect(len(words("power")) == 1, "an adapter that was off hears it again")
expect(words("region") == [""], "a region alone has the adapter discover, too")
# The machine is emulated: a look at bluetoothd takes half a second there.
expect(0 <= span("over") <= 5 and words("over"), f"discovery has ended {span('over'):.1f} s after the last client")
expect("0x01" in (words("advertise") or [""])[0], f"the machine is a beacon: {words('advertise')}")
expect("0x00" in (words("ended") or [""])[0], f"and ends with its client: {words('ended')}")
expect(words("log") == ["0"], f"the log names no beacon: {words('log')}")
sys.exit(f"{sys.argv[2]}/said has all that the machine said" if wrong else 0)
