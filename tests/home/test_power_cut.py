"""The power is cut while a home is written to: all that was said to be kept is there, and whole."""

import random
import time

import pytest

from tests.home.kills import Said, held, killed, writer
from tests.support.disks import forgetful  # noqa: F401 - the fixture is used by name

NOTHING = {"lost": 0, "doubled": 0, "back again": 0}


def cut_once(disk, lines, seconds):
    """One writer until it has said so much and some time has passed; then the power goes. What it said."""
    said = Said()
    with writer(disk.folder / "home", "a") as process:
        for _ in range(lines):
            said.hear(process.stdout.readline())
        time.sleep(seconds)
        disk.cut()
        process.kill()
        for line in process.stdout:
            said.hear(line)
    return said


def test_the_disk_forgets_what_was_not_synced(forgetful):  # noqa: F811
    (forgetful.folder / "plain.txt").write_text("not synced")
    forgetful.cut()
    forgetful.restart()
    assert not (forgetful.folder / "plain.txt").exists()


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 12))])
def test_what_was_said_to_be_kept_is_there_after_a_power_cut(forgetful, seed):  # noqa: F811
    chance = random.Random(seed)
    said = cut_once(forgetful, 5 + chance.randrange(12), chance.uniform(0, 0.3))
    forgetful.restart()
    assert len(said.added) >= 5 and said.wrong(held(forgetful.folder / "home")) == NOTHING


@pytest.mark.long
def test_two_writers_that_are_killed_at_once_lose_nothing_and_double_nothing(tmp_path):
    chance, said = random.Random(3), Said()
    for turn in range(3):
        found = killed(tmp_path / "home", (f"a{turn}n", f"b{turn}n"), chance, said)
        assert not found.total()
        assert said.wrong(held(tmp_path / "home")) == NOTHING
