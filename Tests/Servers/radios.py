#!/usr/bin/python3
"""The real NetworkManager and polkit on radios of mac80211_hwsim, in a virtual machine, with locationd: radios.py PROGRAMS FOLDER
One of its three networks is usable; scans are asked for at most once in 30 s, and none while no client wants a place; a
radio that was off, gone or without its service is back with the next scan. Some minutes; nothing is installed."""
import json, os, sys, time

from machine import Story
from receiver import fix

programs, folder = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
os.makedirs(folder, exist_ok=True)
with open(f"{folder}/epochs", "w") as file:
    # To and fro in a street of 150 m at 10 m/s, from about now on.
    begun = int(time.time()) + 30
    for second in range(900):
        moment = time.gmtime(begun + second)
        metres, course = (second % 30 * 10, "0.0") if second % 30 < 15 else (300 - second % 30 * 10, "180.0")
        file.write(fix(time.strftime("%H%M%S.00", moment), time.strftime("%d%m%y", moment),
                       f"45{metres / 1853.25:09.6f},N,00700.000000,E", 9, f"19.44,{course}"))
story = Story(programs, folder, "radios-init")
words, first, expect = story.words, story.first, story.expect


def span(name):
    times = [float(line.split()[1]) for line in words(name)]
    return times if len(times) == 2 else [0, 0]


clock = (first("clock") or "0 0").split()
start = float(clock[0]) - float(clock[1])
calls = [(float(line.split()[0]) - start, line.split()[1]) for line in words("call")]
for name in ("idle", "over"):
    begin, end = span(name)
    during = [call for call in calls if begin < call[0] < end]
    expect(end - begin > 10 and not during, f"no call in {end - begin:.0f} s while no client wants a place: {during}")
networks = [json.loads(line).get("networks") for line in words("wifi")]
expect(networks == [1, 2], f"of three networks one is learnt, of four two: {networks}")
scans = [at for at, member in calls if member == "RequestScan"]
begin, end = span("two")
during = [at for at in scans if begin < at < end]
least = min((b - a for a, b in zip(scans, scans[1:])), default=99)
expect(1 <= len(during) <= 5, f"{len(during)} scans are asked for in {end - begin:.0f} s")
expect(least >= 29.5, f"and never within {least:.1f} s of another, of {len(scans)}")
place = first("indoors")
expect('"source":"wifi:' in place and '"latitude":45.0' in place, f"the networks give the place back: {place}")
for line in words("back"):
    what, begin, end = line.split()
    expect(float(end) - float(begin) < 40, f"{what}: back with the next scan, after {float(end) - float(begin):.0f} s")
expect(len(words("back")) == 3, "a radio comes back thrice")
expect("may not have Wi-Fi scans made" in first("refused"),
       f"without polkit's rule doctor says so: {words('refused')}")
expect(words("log") == ["0"], f"the log names no network: {words('log')}")
story.end()
