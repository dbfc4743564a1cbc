"""Threads that wait for one another: a condition that comes true, and jobs that hold a turn."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


def wait_for(true):
    """Return when the function `true` returns something true."""
    while not true():
        threading.Event().wait(0.001)


@contextmanager
def let_in(turns, count=1):
    """Others have their turn within the block, so many of them."""
    leave, inside = threading.Event(), threading.Semaphore(0)

    def stay():
        with turns.take_turn():
            inside.release()
            leave.wait()

    with ThreadPoolExecutor(count) as pool:
        for _ in range(count):
            pool.submit(stay)
            inside.acquire()
        try:
            yield leave
        finally:
            leave.set()
