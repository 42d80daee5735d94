"""Disabled or purged, the tracker leaves the receiver off; a restart, a shutdown and an upgrade take nothing from it."""
from machine import *

UNIT = "unit:locationd-tracker.service"
# Receivers stay open for five seconds after their last use.
SECONDS = 15

start()
step("the tracker lets the receiver run")
apt("install -y gpsd")
Receiver()
apt(f"install -y {package('locationd', 'locationd-tracker')}")
run(f"locationctl grant {UNIT} always --uid locationd-tracker")


def receivers():
    return {source["name"]: source["state"] for source in status()["sources"]}


def off(when):
    wait(lambda: not set(receivers().values()) & {"running", "waiting"},
         lambda: f"{when} the receiver stays on: {receivers()}\n{status().get('need')}", SECONDS)


def on(when):
    wait(lambda: "running" in receivers().values(), lambda: f"{when} the receiver is off: {receivers()}", 60)


def monitors():
    return [monitor["app"] for monitor in status().get("monitors", [])]


on("with the permission")
registered = monitors()
expect(UNIT in registered, f"the tracker registers nothing: {registered}")

step("a restart of the tracker, and of the daemon, takes nothing")
for what in ("locationd-tracker", "locationd"):
    run(f"systemctl restart {what}")
    on(f"after a restart of {what}")
    expect(monitors() == registered, f"after a restart of {what} there is registered {monitors()}")

step("stopped, but not disabled, it keeps its registrations; the receiver is off once nothing may start it")
run("systemctl stop locationd-tracker")
expect(monitors() == registered, f"after a stop there is registered {monitors()}")
run("systemctl start locationd-tracker")
on("after a start")
run("systemctl disable --now locationd-tracker")
off("disabled")
expect(UNIT in run("locationctl apps"), "disabled, the tracker loses its permission")
run("systemctl restart locationd")
run("sleep 2")
off("disabled, after a restart of the daemon,")

step("enabled again, it goes on")
run("systemctl enable --now locationd-tracker")
on("enabled again")

step("removed, it leaves the receiver off and keeps its permission; installed again, it goes on")
apt("remove -y locationd-tracker")
off("removed")
expect(UNIT in run("locationctl apps"), "removed, the tracker loses its permission")
apt(f"install -y {package('locationd-tracker')}")
on("installed again")

step("purged, it leaves no registration and no permission")
apt("purge -y locationd-tracker")
off("purged")
expect(UNIT not in monitors(), f"purged, it leaves registered {monitors()}")
expect(UNIT not in run("locationctl apps"), "purged, it leaves its permission")
apt(f"install -y {package('locationd-tracker')}")
wait(lambda: "locationctl grant" in run("locationctl track status"), "installed anew, it has a permission at once")
