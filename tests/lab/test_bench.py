"""The benchmark as a whole: what is measured when, and what becomes of a figure that fails."""

import pytest

from core.lab import bench
from core.lab.bench import FIGURES, LONG, BenchError, run
from core.lab.bench.figure import Figure, beside
from core.lab.bench.memory import megabytes, resident
from core.lab.commands import figure_line

GOOD = Figure(value=1.0, unit="s", baseline="another", baseline_value=2.0, n=3, note="")


@pytest.fixture
def figures(monkeypatch):
    """Figures that take no time; one of them fails."""

    def broken(folder):
        raise TimeoutError("the page did not answer")

    made = dict.fromkeys(FIGURES, lambda folder: GOOD) | {"ask_warm": broken}
    monkeypatch.setattr(bench, "FIGURES", made)


@pytest.mark.usefixtures("figures")
def test_a_figure_that_fails_is_a_row_that_says_why_and_the_others_are_measured():
    rows = run()
    assert rows["ask_warm"]["value"] is None and "the page did not answer" in rows["ask_warm"]["note"]
    assert rows["nli_pairs"] == GOOD.row() and rows["nli_pairs"]["ratio"] == 2.0
    assert "not measured: TimeoutError" in figure_line("ask_warm", rows["ask_warm"])


@pytest.mark.usefixtures("figures")
def test_the_long_figures_are_measured_on_request_only():
    assert set(run()) == set(FIGURES) - set(LONG)
    assert set(run(everything=True)) == set(FIGURES)
    assert set(run(["bank_search"])) == {"bank_search"}


def test_an_unknown_figure_names_those_there_are():
    with pytest.raises(BenchError, match="nli_pairs"):
        run(["speed"])


def test_a_baseline_in_pieces_is_done_once_beside_every_run():
    done = []
    ours, whole = beside(lambda: done.append("ours"), [lambda n=n: done.append(n) for n in range(3)])
    assert done == ["ours", 0, "ours", 1, "ours", 2] and ours > 0 and whole > 0


def test_memory_is_that_of_a_process_of_its_own_and_a_failure_says_its_last_words():
    before, peak = megabytes(hold_bytes, "65000000")
    assert 61 < peak - before < 90
    with pytest.raises(RuntimeError, match="ValueError: invalid literal for int"):
        megabytes(hold_bytes, "many")


def hold_bytes(count):
    """Print the memory of this process, then take `count` bytes."""
    print(resident())
    b"1" * int(count)
