"""What a refined search asks, and which passages come with the best ones."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.case import Question, Scope
from core.decide import SEARCHES
from core.graph import Explorer
from core.presets import preset, with_settings
from core.retrieval.refinement import Search, expansion, refine, terms_near, without_frame
from core.retrieval.retriever import Retriever
from core.retrieval.word_index import index_of
from core.thresholds import Preset
from tests.support.cases import evidence, passage
from tests.support.fake_models import FakeEmbedder
from tests.support.libraries import one_chapter

BOOK = "Photosynthesis is the process by which plants make food. The green substance is called chlorophyll"
LEXICAL = index_of([BOOK, "Plants are green. Food is good", "Sound travels"])
TEXT = (
    "Photosynthesis is the process by which green plants make their own food. The gas given out on the way is what "
    "animals breathe, day after day, wherever they live. Roots take in water. Stems carry it up to where it is needed. "
    "The green substance in the leaves is called chlorophyll. Starch is the form in which food is stored. A seed is a "
    "young plant in a coat. Wind and birds carry it far away, and some seeds float. A forest is a large wood. Many "
    "birds nest in it. Rain is water that falls from clouds. It fills ponds, lakes and rivers all year round."
)


@pytest.fixture
def explorer(models, tmp_path):
    with one_chapter(tmp_path / "home", models, TEXT) as library:
        yield Explorer(library, models)


@pytest.mark.parametrize(("query", "bare"), [
    ("Hello, can you please explain to me photosynthesis", "photosynthesis"),
    ("please", "please"),
    ("I would like to know how plants drink", "how plants drink"),
    ("What is a leaf?", "What is a leaf?"),
])  # fmt: skip
def test_a_polite_frame_is_taken_off(query, bare):
    assert without_frame(query) == bare


def test_an_expansion_brings_the_heading_and_rare_words_that_were_not_asked():
    found = evidence(BOOK, 0.9)
    found = replace(found, passage=replace(found.passage, section="6.1 How Plants Eat"))
    added = expansion("What is photosynthesis?", (found,), LEXICAL)
    assert added.startswith("How Plants Eat ") and "chlorophyll" in added and "photosynthesis" not in added.lower()
    assert expansion("What is photosynthesis?", (), LEXICAL) == ""


def test_a_long_line_is_no_heading():
    found = evidence(BOOK, 0.9)
    found = replace(found, passage=replace(found.passage, section="and so we see that all of the plants eat light"))
    assert "and so we see" not in expansion("What is photosynthesis?", (found,), LEXICAL)


def test_terms_near_the_question_are_headings_and_definitions():
    embedder = FakeEmbedder()
    query = "green food"
    near = terms_near(query, embedder.encode([query])[0], [passage(BOOK, section="6 Green Leaves")], embedder.encode)
    assert near.startswith("Green Leaves") and "chlorophyll" in near
    assert terms_near(query, np.zeros(512), [], embedder.encode) == ""


WORDS = st.lists(st.sampled_from("please tell me what is green food plants sound osmosis".split()), min_size=1).map(
    " ".join
)


@given(WORDS, st.lists(st.sampled_from([BOOK, "Sound travels. It is loud", "Plants are green"]), max_size=3), WORDS)
def test_a_refined_search_is_never_one_that_was_asked(query, texts, terms):
    asked = [Search(query)]
    found = [evidence(text, 0.5, n) for n, text in enumerate(texts)]
    while (search := refine(asked, found, LEXICAL, lambda: terms)) is not None:
        assert search not in asked and len(asked) < 4
        asked.append(search)


@pytest.mark.parametrize("query", [
    "What is photosynthesis?", "please tell me what a seed is", "chlorophyl", "how do clouds sing", "seeds", "Is rain wet?",
    "what is the price of gold", "birds", "Explain how a plant drinks.", "where does a forest end and a wood begin",
])  # fmt: skip
def test_no_two_searches_of_a_trace_ask_the_same(explorer, query):
    strict = with_settings(preset("seed_b"), ["confidence.min_confidence=100", "confidence.stable_within=0"])
    trace = explorer.deepen(explorer.ask(Question(query=query), strict)[0])
    searches = [(r.case.query, r.case.fetch) for r in trace.rounds if r.name in SEARCHES]
    assert len(set(searches)) == len(searches) and len(searches) > 1
    assert not any(trace.round(a).case.exhausted for a, b in pairwise(SEARCHES) if trace.round(b))


def test_a_search_after_which_nothing_new_can_be_asked_says_so(explorer, models, tmp_path):
    with one_chapter(tmp_path / "small", models, "Rain falls.") as library:
        trace = Explorer(library, models).deepen(
            Explorer(library, models).ask(Question(query="rain falls"), Preset())[0]
        )
    assert [r.name for r in trace.rounds if r.name in SEARCHES] == ["first"]
    assert trace.rounds[0].case.exhausted and not trace.rounds[0].case.may_find_more


def test_the_first_search_asks_in_the_spelling_of_the_library_and_the_question_stays(explorer):
    trace, _ = explorer.ask(Question(query="What is photosynthsis?"), Preset())
    first = trace.rounds[0].case
    assert (first.query, first.question.query) == ("What is photosynthesis?", "What is photosynthsis?")


LONG = " ".join(
    f"The {animal} lives in the {place} and eats {food} from early morning until late at night. "
    f"Its young are fed by both parents in turn, who rarely sleep for long and keep a close watch on every side."
    for animal, place, food in zip(
        "otter eagle camel whale mouse tiger heron panda".split(), "river cliff desert ocean barn jungle marsh hills".split(),
        "fish hares thorns krill grain deer frogs bamboo".split(), strict=True,
    )
)  # fmt: skip


def test_the_passages_beside_the_best_one_are_at_hand(models, tmp_path):
    with one_chapter(tmp_path / "long", models, LONG) as library:
        retriever = Retriever(library, models)
        whole = retriever.snapshot().passages
        assert len(whole) > 6
        tried = 0
        for n, wanted in enumerate(whole[:-1]):
            found = [e.passage for e in retriever.search(wanted.sentences[0], Scope(), 4).evidence]
            assert len(found) == 4 and len({p.id for p in found}) == 4
            if found[0] == wanted:
                tried += 1
                assert whole[n + 1] in found
        assert tried > 3
        assert len(retriever.search("Where does the otter live?", Scope(), 1).evidence) == 1


def test_a_passage_beside_the_best_one_stays_within_the_scope(explorer):
    scope = Scope(documents=("plants.pdf",), class_number=8)
    assert Retriever(explorer.library, explorer.models).search("What is photosynthesis?", scope, 4).evidence == ()
