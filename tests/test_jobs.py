"""Whose turn it is: first come, first served."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.jobs import Turns


def in_line(turns):
    return len(turns._line)


def wait_for(true):
    while not true():
        threading.Event().wait(0.001)


def test_the_first_to_come_is_the_first_to_be_done():
    turns, order = Turns(1), []

    def work(n):
        with turns.taken():
            order.append(n)

    with ThreadPoolExecutor(8) as pool, turns.taken():
        for n in range(8):
            pool.submit(work, n)
            wait_for(lambda n=n: in_line(turns) == n + 2)
        assert order == []
    assert order == list(range(8))


def test_no_more_than_so_many_are_let_in_at_once():
    turns, inside, most = Turns(2), [], []
    both = threading.Barrier(2, timeout=10)

    def work(n):
        with turns.taken():
            inside.append(n)
            most.append(len(inside))
            both.wait()  # passes only when two are let in together
            inside.remove(n)
            both.wait()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert max(most) == 2 and len(most) == 6


def test_who_breaks_gives_the_turn_back():
    turns = Turns(1)
    with pytest.raises(ValueError), turns.taken():
        raise ValueError
    with turns.taken():
        assert in_line(turns) == 1


def test_who_waits_is_told_how_many_are_before_and_may_leave_the_line():
    turns, told = Turns(1), []

    def leave(before):
        told.append(before)
        raise ValueError

    with turns.taken(told.append):
        assert told == []
        with pytest.raises(ValueError), turns.taken(leave):
            raise AssertionError("it is not its turn")
        assert told == [1] and in_line(turns) == 1
