"""A vocabulary finds the same words whether it reads all passages or takes those of an earlier library over."""

from hypothesis import given
from hypothesis import strategies as st

from core.case import Passage
from core.retrieval.library_words import LibraryVocabulary

SENTENCES = (
    "A cell without a nucleus is called a prokaryote.", "Pasteur boiled the broth in 1862.",
    "The prokaryote moves.", "See Figure 2.1 in class.", "Light bends in glass. ", "boiled broth",
)  # fmt: skip
SECTIONS = ("", "2.1 Cells", "Light")
LOOKUPS = ("prokaryote", "Pasteur", "boiled the broth", "broth boiled", "cells light", "glass", "moves see", "zebra")

passages = st.lists(
    st.builds(
        lambda sentences, section: Passage(
            id=f"{section}{sentences}", sentences=tuple(sentences), pages=(1,) * len(sentences), section=section
        ),
        st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3), st.sampled_from(SECTIONS),
    ),
    max_size=5,
)  # fmt: skip


def looked_up(vocabulary):
    return (
        vocabulary.stems, vocabulary.terms,
        [(vocabulary.explains(t), vocabulary.holds_text(t), vocabulary.contains(t.split())) for t in LOOKUPS],
        [vocabulary.holds_number("figure|fig", n) for n in ("2.1", "2")],
    )  # fmt: skip


@given(passages, passages, passages)
def test_a_changed_library_has_the_words_of_a_new_one(before, meanwhile, after):
    earlier = LibraryVocabulary(before)
    looked_up(earlier)
    unused = LibraryVocabulary(meanwhile, earlier)
    assert looked_up(LibraryVocabulary(after, unused)) == looked_up(LibraryVocabulary(after))


def test_no_phrase_reaches_over_the_end_of_a_sentence():
    vocabulary = LibraryVocabulary([Passage(id="a", sentences=("Light bends.", "Glass breaks."), pages=(1, 1))])
    assert vocabulary.contains(["light", "bend"]) and not vocabulary.contains(["bend", "glass"])
