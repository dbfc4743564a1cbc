import numpy as np

from core.lab.figures.altered_pairs import MOST_REFUSED, REFUSED, limit_of


def test_the_limit_refuses_a_tenth_of_the_supported_answers_and_no_more():
    found = np.array([*np.linspace(0.0, 0.95, 20), 0.99])
    supported = np.array([True] * 20 + [False])
    limit = limit_of(found, supported)
    assert (found[supported] < limit).mean() == MOST_REFUSED
    assert limit == found[2]


def test_what_the_numbers_check_refuses_stays_refused_even_if_that_is_more_than_a_tenth():
    found = np.array([REFUSED] * 5 + [0.2, 0.4, 0.6, 0.8, 1.0])
    limit = limit_of(found, np.ones(10, bool))
    assert ((found >= limit) == (found != REFUSED)).all()
