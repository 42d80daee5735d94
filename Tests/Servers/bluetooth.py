#!/usr/bin/python3
"""The real bluetoothd on adapters of btvirt, in a virtual machine, with locationd: bluetooth.py PROGRAMS FOLDER
A beacon is ranged, entered, left and entered again; bluetoothd and the adapter go and come back; no discovery is left when no
client wants one; the machine is a beacon itself. Some minutes; nothing is installed."""
import sys

from machine import Story

story = Story(sys.argv[1], sys.argv[2], "bluetooth-init")
words, first, expect = story.words, story.first, story.expect


def span(name):
    begin, end = (first(name) or "0 0").split()
    return float(end) - float(begin)


expect(words("idle") == [""], "no discovery while no client wants one")
for name, what in ("range", "the beacon is ranged"), ("restart", "and again after bluetoothd was killed"):
    expect('"minor":2' in first(name), f"{what}: {words(name)}")
expect(len(words("enter")) == 1 and len(words("back")) == 1, "its region is entered with it, and again when it comes back")
expect(9 <= span("gone") <= 14, f"it is listed no more after {span('gone'):.1f} s of silence")
expect(29 <= span("leave") <= 40, f"its region is left after {span('leave'):.1f} s of silence")
expect(len(words("power")) == 1, "an adapter that was off hears it again")
expect(words("region") == [""], "a region alone has the adapter discover, too")
# The machine is emulated: a look at bluetoothd takes half a second there.
expect(0 <= span("over") <= 5 and words("over"), f"discovery has ended {span('over'):.1f} s after the last client")
expect(len(words("monitor")) == 1, "a bluetoothd that has monitors hears a region alone without a discovery")
expect(29 <= span("lost") <= 50, f"which is left {span('lost'):.1f} s after the last frame")
expect("0x01" in first("advertise"), f"the machine is a beacon: {words('advertise')}")
expect("0x00" in first("ended"), f"and ends with its client: {words('ended')}")
expect(words("log") == ["0"], f"the log names no beacon: {words('log')}")
story.end()
