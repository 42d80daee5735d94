#!/usr/bin/python3
"""Asks in a terminal what this user's programs may know, and starts those that an event is for:
org.locationd's Agent1 over D-Bus, in Python."""

import os
import sys

import dbus
import dbus.service
from dbus.mainloop.glib import DBusGMainLoop
from gi.repository import GLib

CHOICES = {"w": "allowWhileUsing", "o": "allowOnce", "a": "allowAlways", "d": "deny"}
LEVELS = {"whenInUse": "while it is in use", "always": "always", "fullAccuracy": "exactly, for once"}


class Agent(dbus.service.Object):
    """The first question is being asked, the others wait."""

    questions = []

    @dbus.service.method("org.locationd.Agent1", in_signature="a{sv}", out_signature="a{sv}",
                         async_callbacks=("answer", "fail"))
    def Decide(self, question, answer, fail):
        self.questions.append((question, answer, fail))
        if len(self.questions) == 1:
            self.ask()

    @dbus.service.method("org.locationd.Agent1", in_signature="u", out_signature="a{sv}")
    def Identify(self, pid):
        try:
            return {"exe": os.readlink(f"/proc/{pid}/exe")}
        except OSError:
            return {}

    # Programs are known by their names on the bus of the session, which locationd is not on.
    @dbus.service.method("org.locationd.Agent1", in_signature="a{sv}", out_signature="a{sv}")
    def Owner(self, name):
        bus = dbus.SessionBus().get_object("org.freedesktop.DBus", "/org/freedesktop/DBus")
        return {"pid": bus.GetConnectionUnixProcessID(
            name["busName"], dbus_interface="org.freedesktop.DBus")}

    @dbus.service.method("org.locationd.Agent1", in_signature="a{sv}")
    def Launch(self, program):
        session = dbus.SessionBus()
        if "busName" in program:
            session.start_service_by_name(program["busName"])
        else:
            units = session.get_object("org.freedesktop.systemd1", "/org/freedesktop/systemd1")
            units.StartUnit(program["unit"], "fail", dbus_interface="org.freedesktop.systemd1.Manager")
        print(f"Started {program['app']}, since an event is for it.", flush=True)

    @dbus.service.method("org.locationd.Agent1", in_signature="a{sv}")
    def Holding(self, programs):
        print("In use though nobody may be looking:", ", ".join(programs["apps"]) or "nothing", flush=True)

    @dbus.service.method("org.locationd.Agent1", in_signature="aa{sv}")
    def Uses(self, apps):
        print("Told the place now:", ", ".join(app["app"] for app in apps) or "nothing", flush=True)

    @dbus.service.method("org.locationd.Agent1", in_signature="t")
    def Cancel(self, number):
        # The call is answered all the same, as any call on a bus is.
        for question in [one for one in self.questions if one[0]["question"] == number]:
            question[2](dbus.DBusException("too late"))
            first = question is self.questions[0]
            self.questions.remove(question)
            if first:
                self.ask()

    def ask(self):
        if not self.questions:
            return
        question = self.questions[0][0]
        print(f"{question['app']} wants to know where this machine is {LEVELS[question['level']]}.")
        if "purpose" in question:
            # A program's words may hold anything, also what moves the cursor.
            print("It says: " + "".join(c for c in question["purpose"] if c.isprintable()))
        if question.get("forAll"):
            print("Allowed for longer than once, every program of yours can ask through it.")
        print("(o)nce, (w)hile using, (a)lways, (d)eny: ", end="", flush=True)

    def heard(self, source, condition):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
        elif self.questions and line.strip() in CHOICES:
            question, answer, fail = self.questions.pop(0)
            answer({"decision": CHOICES[line.strip()]})
            self.ask()
        elif self.questions:
            self.ask()
        return True


DBusGMainLoop(set_as_default=True)
address = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS")
bus = dbus.bus.BusConnection(address) if address else dbus.SystemBus()
agent = Agent(bus, "/agent")
agents = dbus.Interface(bus.get_object("org.locationd", "/org/locationd"), "org.locationd.Agents1")
agents.Register(dbus.ObjectPath("/agent"))
print("Questions of your programs come here; Ctrl-C ends it.", flush=True)
loop = GLib.MainLoop()
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, agent.heard)
try:
    loop.run()
except KeyboardInterrupt:
    pass
