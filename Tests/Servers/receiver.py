"""A receiver's words, for the scripts beside this one."""
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
