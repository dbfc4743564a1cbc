"""Words of a claim in whose place the evidence has a rival."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.rival_words import contrary_words


@pytest.mark.parametrize(
    ("claim", "evidence", "found"),
    [
        ("The shop opens on Monday.", "The shop opens on Wednesday.", ("monday",)),
        ("The pond freezes in winter.", "The pond dries up in summer.", ("winter",)),
        ("The rope is longer than the chain.", "The rope is shorter than the chain.", ("longer",)),
        ("Prices rise when goods are scarce.", "Prices fall when goods are scarce.", ("rise",)),
        ("The picture lies behind the mirror.", "The picture lies in front of the mirror.", ("behind",)),
        ("Aerobic germs live in the mud.", "Anaerobic germs live in the mud.", ("aerobic",)),
        ("All the lamps went out.", "Only some lamps went out.", ("all",)),
        ("The cart rolls away from the wall.", "The cart rolls towards the wall.", ("away",)),
        ("The cart rolls towards the wall.", "The cart rolls to the wall.", ()),
        ("Most lamps went out.", "Nearly all lamps went out.", ()),
        ("The day is longer than the night.", "The night is shorter than the day, the day longer.", ()),
        ("It is warm in the oven.", "It is hot in the oven.", ()),
    ],
)
def test_a_word_counts_where_the_evidence_has_its_rival_and_not_the_word(claim, evidence, found):
    assert contrary_words(claim, evidence) == found


@given(st.lists(st.sampled_from("more less all some rise fall day night the a lamp".split()), max_size=12))
def test_nothing_is_contrary_to_itself(some):
    text = " ".join(some)
    assert contrary_words(text, text) == ()
