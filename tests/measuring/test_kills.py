"""A bank whose measuring is killed goes on where it was; `python -m tests.measuring.kills` does it thirty times."""

import pytest

from tests.measuring.kills import completed, survives


@pytest.mark.long
def test_killed_processes_lose_nothing_and_the_next_one_completes_the_bank(tmp_path):
    assert len(survives(tmp_path, rows=12, runs=2, seed=3, most=4)) == 2
    completed(tmp_path, rows=12)
