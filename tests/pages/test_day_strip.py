"""The bars of History, one a day: how tall each is, and what their title says."""

import re

from pages.components.history.overview import MOST_DAYS, strip, title


def test_there_is_a_bar_a_day_no_taller_than_a_line_where_there_are_few():
    page = strip({("2026-03-01", None): 3, ("2026-03-01", "off_topic"): 1, ("2026-03-04", "off_topic"): 2})
    assert page.count("<span ") == 4 and 'title="01 Mar 2026: 3 answered, 1 not"' in page
    assert [int(h) for h in re.findall(r"<i style=.height:(\d+)px", page)] == [4, 12, 8]


def test_many_decisions_are_drawn_in_proportion_and_many_days_end_with_the_latest():
    page = strip({("2025-01-01", None): 1, ("2026-03-01", None): 480})
    assert page.count("<span ") == MOST_DAYS and "height:48px" in page and "01 Jan 2025" not in page


def test_the_title_of_the_bars_states_what_they_show():
    counts = {("2026-03-01", "off_topic"): 2, ("2026-03-02", "interest"): 3, ("2026-03-04", "off_topic"): 2}
    expected = "7 questions without an answer; most common reason: far from the library's topics (4)"
    assert title(counts) == expected and title({("2026-03-01", None): 2}) == "Every question was answered."
