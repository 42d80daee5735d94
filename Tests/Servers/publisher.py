"""A stand-in for OwnTracks' ocli, which Debian lacks: bare-publisher at a gpsd, which hears a receiver that drives."""
import socket
import subprocess
import threading
import time

from receiver import fix, free_port

RATE = 20


class Publisher:
    def __init__(self, program, folder, broker):
        self.receiver = socket.create_server(("127.0.0.1", 0))
        port, self.said = free_port(), folder + "/confirmed"
        self.children = [start("/usr/sbin/gpsd", "-N", "-n", "-S", str(port),
                               f"tcp://127.0.0.1:{self.receiver.getsockname()[1]}")]
        threading.Thread(target=self.drive, daemon=True).start()
        with open(self.said, "w") as file:
            end = time.monotonic() + 30
            while True:
                one = start(program, str(port), str(broker), stdout=file)
                self.children.append(one)
                time.sleep(0.5)
                if one.poll() is None:
                    break
                if time.monotonic() > end:
                    raise SystemExit(f"{program} ends with {one.returncode}")
        self.pid = one.pid

    def drive(self):
        line, _ = self.receiver.accept()
        begin = round(time.time())
        for tick in range(10**9):
            now = begin + tick / RATE
            time.sleep(max(0, now - time.time()))
            clock = time.strftime("%H%M%S", time.gmtime(now)) + f".{tick % RATE * 100 // RATE:02d}"
            place = f"48{12.3456 + tick % 100000 / 100000:09.6f},N,01134.500000,E"
            try:
                line.sendall(fix(clock, time.strftime("%d%m%y", time.gmtime(now)), place, 8).encode())
            except OSError:
                return

    def confirmed(self):
        """So many fixes: in tens."""
        with open(self.said) as file:
            return int((file.read().split() or ["0"])[-1])

    def end(self):
        for child in self.children:
            child.kill()
            child.wait()
        self.receiver.close()


def start(*command, stdout=subprocess.DEVNULL):
    return subprocess.Popen(["setpriv", "--pdeathsig", "KILL", *command], stdout=stdout, stderr=subprocess.DEVNULL)
