"""A receiver's words, for the scripts beside this one."""
import random
import socket


def sentence(body):
    sum = 0
    for letter in body:
        sum ^= ord(letter)
    return f"${body}*{sum:02X}\r\n"


def fix(clock, date, place, satellites, speed="1.944,0.5"):
    """RMC and GGA of one moment."""
    return sentence(f"GPRMC,{clock},A,{place},{speed},{date},,,A") + sentence(
        f"GPGGA,{clock},{place},1,{satellites:02d},0.9,520.0,M,47.0,M,,"
    )


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def low_port():
    """A free one below 32768: QGIS takes no other."""
    while True:
        port = random.randrange(10000, 32768)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
