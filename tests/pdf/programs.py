"""A program for the tests of core/pdf/sandbox.py: it behaves well, or in one of many bad ways."""

import hashlib
import os
import socket
import sys
import time
from contextlib import suppress

from core.pdf.read import _input, print_line, started_job


def sleep():
    time.sleep(600)


def crash():
    os.abort()


def garbage():
    print("{no json", flush=True)


def greed():
    bytearray(2**31)


def fill():
    sys.stderr.write("x" * 5_000_000)


def stay():
    os.close(1)
    time.sleep(600)


def fine():
    pass


def work():
    while True:
        pass


def wait():
    """Longer than a page may take of a processor, as on a busy computer, and then one more line."""
    time.sleep(3)
    print_line(pid=os.getpid())


def call():
    """Another computer, at an address that nobody has."""
    with suppress(OSError):
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("192.0.2.1", 9))


def main():
    job = started_job()
    print_line(pid=os.getpid(), digest=hashlib.sha256(_input()).hexdigest(), environment=dict(os.environ))
    globals()[job["deed"]]()


if __name__ == "__main__":
    main()
