"""Words for the cost curves: the title says what the largest count costs, the note how it was measured."""

import pytest

from core.presentation.cost_words import CURVES, note, point_text, title

PASSAGES, ROWS, PEOPLE = CURVES
CONDITIONS = {"date": "2026-11-28", "cores": 2, "load": 0.4}


def searches(count, median, **about):
    return {
        "count": count,
        "n": 200,
        "median_ms": median,
        "p95_ms": 3 * median,
        "memory_mb": 361.2,
        **CONDITIONS,
    } | about


def test_the_title_says_what_the_largest_count_costs():
    assert title(PASSAGES, [searches(1000, 2), searches(100_000, 4.56)]) == (
        "Among 100,000 passages, a search takes 4.6 ms"
    )
    assert title(ROWS, [searches(10_000, 46.4)]).endswith("takes 46 ms")
    people = [{"count": n, "n": 5, "median_s": 2.0, "p95_s": 3.0, **CONDITIONS} for n in (1, 50)]
    assert title(PEOPLE, people) == "With 50 people at once, an answer takes 2.0 s"
    assert title(PEOPLE, people[:1]) == "With 1 person at once, an answer takes 2.0 s"


def test_a_point_says_its_times_n_memory_and_conditions():
    assert point_text(PASSAGES, searches(100_000, 4.56)) == (
        "100,000 passages<br>4.6 ms; 95 of 100 within 14 ms (n 200)<br>361 MB of memory"
        "<br>28 November 2026, 2 cores, load 0.4"
    )


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([searches(10, 1)], "the median of 200 searches at each point"),
        ([searches(10, 1), searches(100, 1, n=50)], "the median of 50 to 200 searches"),
        ([searches(10, 1)], "Measured on 28 November 2026 on 2 cores."),
        ([searches(10, 1), searches(100, 1, date="2026-12-01", load=5.0)],
         "Measured on 28 November 2026 to 1 December 2026 on 2 cores while other work ran on the machine."),
    ],
)  # fmt: skip
def test_the_note_says_how_often_when_and_on_what_it_was_measured(points, words):
    assert words in note(PASSAGES, points)
