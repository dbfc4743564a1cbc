"""Whose turn it is: first come, first served, and whoever waits is told where they stand."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from core.platform.jobs import (
    TURNS,
    StoppedWaiting,
    Turns,
    one_job,
    report_waits,
    turn_at_models,
    use_pause,
    yield_to_users,
)
from tests.support.threads import let_in, wait_for


def in_line(turns):
    return len(turns._line)


def test_the_first_to_come_is_the_first_to_be_done():
    turns, order = Turns(1), []

    def work(n):
        with turns.take_turn():
            order.append(n)

    with ThreadPoolExecutor(8) as pool, turns.take_turn():
        for n in range(8):
            pool.submit(work, n)
            wait_for(lambda n=n: in_line(turns) == n + 2)
        assert order == []
    assert order == list(range(8))


def test_no_more_than_so_many_are_let_in_at_once():
    turns, inside, most = Turns(2), [], []
    both = threading.Barrier(2, timeout=10)

    def work(n):
        with turns.take_turn():
            inside.append(n)
            most.append(len(inside))
            both.wait()  # passes only when two are let in together
            inside.remove(n)
            both.wait()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert max(most) == 2 and len(most) == 6


def test_a_large_turn_fills_the_room_of_several_and_one_too_large_has_it_alone():
    turns, inside = Turns(4), []

    def work(size):
        with turns.take_turn(size=size):
            inside.append(size)
            assert sum(inside) <= 4 or len(inside) == 1
            threading.Event().wait(0.002)
            inside.remove(size)
        return size

    sizes = [3, 1, 2, 9, 4, 1, 1, 2]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, sizes)) == sizes


def test_one_piece_of_work_keeps_its_place_over_all_its_turns_and_is_told_the_time_left():
    turns, order, heard = Turns(1), [], []

    def later():
        with turns.take_turn():
            order.append("later")

    with one_job(), ThreadPoolExecutor(1) as pool:
        with turns.take_turn():
            pass
        turns.took.append(100.0)
        with let_in(turns) as leave:
            pool.submit(later)
            wait_for(lambda: in_line(turns) == 2)
            with report_waits(lambda wait: heard.append(wait) or leave.set()), turns.take_turn():
                order.append("earlier")
    assert order == ["earlier", "later"] and len(turns.took) == 4
    assert heard[0].place == 1 and 90 < heard[0].seconds <= 100 and heard[-1] is None


def test_who_stops_waiting_leaves_the_line():
    turns = Turns(2)

    def told(wait):
        assert (wait.place, wait.seconds) == (1, None)  # none has ended yet, so nobody knows how long it takes
        raise StoppedWaiting

    with let_in(turns, 2):
        with report_waits(told), pytest.raises(StoppedWaiting), turns.take_turn():
            pytest.fail("it was let in")
        assert in_line(turns) == 2
    assert in_line(turns) == 0


def test_one_turn_may_be_told_of_apart_from_all_others():
    turns, told = Turns(1), []

    def leave(wait):
        told.append(wait.place)
        raise ValueError

    with report_waits(lambda wait: pytest.fail("it is told elsewhere")), turns.take_turn():
        assert told == []
        with pytest.raises(ValueError), report_waits(leave), turns.take_turn():
            pytest.fail("it was let in")
        assert told == [1] and in_line(turns) == 1


def test_who_breaks_gives_the_turn_back():
    turns = Turns(1)
    with pytest.raises(ValueError), turns.take_turn():
        raise ValueError
    with turns.take_turn():
        assert in_line(turns) == 1


def test_background_work_that_pauses_within_its_turn_keeps_no_user_waiting():
    inside, leave = threading.Event(), threading.Event()

    def measure_in_background():
        with use_pause(leave.wait), turn_at_models():
            inside.set()
            yield_to_users()

    with ThreadPoolExecutor(1) as pool:
        background = pool.submit(measure_in_background)
        inside.wait()
        with report_waits(lambda wait: pytest.fail("a user waits for background work")), turn_at_models():
            assert not background.done()
        leave.set()
        background.result()


def test_a_turn_at_the_models_within_a_turn_does_not_wait_for_itself():
    with report_waits(lambda wait: pytest.fail("it waits for itself")), turn_at_models(), turn_at_models():
        assert in_line(TURNS) == 1
    assert in_line(TURNS) == 0
