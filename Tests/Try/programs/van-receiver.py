"""A receiver in a van that drives past a yard, to and fro, and stays at each end for a while.

van-receiver.py LINK|PORT [STAY [BEGAN]]: an epoch a second with the time of this machine, on a pseudo-terminal that LINK
leads to, or to a port over UDP. It drove off so many seconds after the machine had started, where that is said: several
are in one van then.
"""
import math, os, pty, socket, sys, time, tty

link = sys.argv[1]
stay = int(sys.argv[2]) if len(sys.argv) > 2 else 40
began = float(sys.argv[3]) if len(sys.argv) > 3 else time.monotonic()
if link.isdigit():
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.connect(("127.0.0.1", int(link)))
    master = line.fileno()
else:
    master, line = pty.openpty()
    tty.setraw(line)
    os.chmod(os.ttyname(line), 0o666)
    if os.path.islink(link):
        os.remove(link)
    os.symlink(os.ttyname(line), link)
os.set_blocking(master, False)


def degrees(value, width, letters):
    letter = letters[value < 0]
    whole = math.floor(abs(value))
    return f"{whole:0{width}d}{(abs(value) - whole) * 60:08.5f},{letter}"


# Metres north of the yard's middle, second by second: 1200 m and back.
way = [-600] * (stay // 2) + [-600 + 15 * second for second in range(81)] + [600] * (stay // 2)
way += way[::-1]
count = math.floor(time.monotonic() - began)
while True:
    north = way[count % len(way)]
    moves = north != way[(count + 1) % len(way)]
    latitude, longitude = degrees(48.1374 + north / 111_200, 2, "NS"), degrees(11.5755, 3, "EW")
    now = time.gmtime()
    clock, date = time.strftime("%H%M%S.00", now), time.strftime("%d%m%y", now)
    text = ""
    for body in (f"GPGGA,{clock},{latitude},{longitude},1,09,0.9,545.4,M,46.9,M,,",
                 "GPGSA,A,3,04,05,,09,12,,,24,25,,,,1.8,0.9,1.5",
                 f"GPRMC,{clock},A,{latitude},{longitude},{29.2 if moves else 0.0},0.0,{date},,,A"):
        check = 0
        for byte in body.encode():
            check ^= byte
        text += f"${body}*{check:02X}\r\n"
    try:
        os.write(master, text.encode())
    except ConnectionRefusedError:
        pass
    except BlockingIOError:
        # The line is closed.
        tty.termios.tcflush(line, tty.termios.TCIFLUSH)
    count += 1
    time.sleep(max(0, began + count - time.monotonic()))
