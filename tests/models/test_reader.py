"""The reader says whether a text answers, and where; of a long text the likeliest window counts."""

import numpy as np
import pytest

from core.case import Evidence, Passage
from core.models import ModelError
from core.models.profile import READER, place_of
from core.models.reader import Answer, Reader, ReaderMap, best_span
from core.models.stretches import HINTS, AnswerWeights, Stretch, _defines

QUESTION = "Which gas do plants take in to make their food?"
ANSWERING = "Green plants take in carbon dioxide from the air and make their food with it in sunlight."


@pytest.fixture(scope="module")
def reader():
    return Reader(*place_of(READER))


def test_the_best_span_ends_where_it_starts_or_later_and_is_not_too_long():
    start, end = np.zeros(200), np.zeros(200)
    start[120], end[10], end[130] = 9.0, 9.0, 5.0
    assert best_span(start, end) == (120, 130)
    start[3] = end[190] = 20.0
    first, last = best_span(start, end)
    assert last - first < 90


def test_the_share_of_a_stretch_of_letters_is_that_of_the_answers_starting_in_it():
    found = Answer(probability=0.9, span=(0, 4), at=(0, 5, 12), starts=(0.5, 0.3, 0.2))
    assert found.share(0, 12) == pytest.approx(0.8) and found.share(12, 99) == pytest.approx(0.2)


def test_a_surer_reader_is_never_given_a_lower_probability():
    answered = ReaderMap(answered=0.8, span=0.2, offset=-0.3)(np.linspace(-9, 9, 50), np.linspace(-4, 4, 50))
    assert (np.diff(answered) > 0).all() and 0 < answered[0] < 0.1 and 0.9 < answered[-1] < 1


def test_it_finds_the_answer_and_where_it_stands(reader):
    text = f"Leaves are green. {ANSWERING} Roots hold the plant in the soil."
    answered, silent = reader.read(QUESTION, [text, "Roots hold the plant in the soil, and leaves are green."])
    assert "carbon dioxide" in text[slice(*answered.span)] and answered.probability > silent.probability + 0.3
    first = text.index(ANSWERING)
    assert answered.share(first, first + len(ANSWERING)) > 0.8 and sum(answered.starts) == pytest.approx(1, abs=1e-4)


def test_the_end_of_a_long_text_is_read_too(reader):
    silent = "The school lies on a hill, and its garden is full of old trees. " * 60
    text = silent + ANSWERING
    found, without = reader.read(QUESTION, [text, silent])
    assert "carbon dioxide" in text[slice(*found.span)] and found.probability > without.probability + 0.3


def test_a_text_without_letters_and_none_at_all_are_read(reader):
    assert reader.read(QUESTION, []) == []
    assert all(0 <= a.probability <= 1 for a in reader.read(QUESTION, ["…", "Yes."]))


def test_a_question_that_is_too_long_is_refused(reader):
    with pytest.raises(ModelError, match="question may have"):
        reader.read("why " * 400, ["Because."])


def _stretch(place, text):
    return Stretch(indices=((0, place),), core=(0, place), text=text)


def _evidence(passage):
    return (Evidence(passage=passage, cosine=0.5, related=0.5, hybrid=0.5, answers=0.5, kept=(0,)),)


def test_hints_weigh_as_declared():
    weights = AnswerWeights(**dict.fromkeys(HINTS, 0.0), offset=0.0)
    assert weights(np.zeros((3, len(HINTS)))).tolist() == [0.5, 0.5, 0.5]
    assert AnswerWeights()(np.eye(len(HINTS))).max() > AnswerWeights()(np.zeros((1, len(HINTS))))[0]


def test_what_opens_under_the_heading_that_is_asked_for_defines_it_and_a_number_asks_for_nothing():
    lines = ("1.2 Rancidity", "Fats that meet the air smell.", "1.3", "Air is a mixture.")
    passage = Passage(id="p", sentences=lines, pages=(1,) * len(lines))
    found = {
        (query, place): _defines(_stretch(place, lines[place]), _evidence(passage), query)
        for query in ("What is rancidity?", "What is it?") for place in (1, 3)
    }  # fmt: skip
    assert [asked for asked, is_so in found.items() if is_so] == [("What is rancidity?", 1)]


def test_a_heading_says_the_rest_of_what_a_definition_is_asked_for():
    text = "The force with which a field draws a thing is called weight."
    passage = Passage(id="p", sentences=(text,), pages=(1,), section="3.4 Weight of a body")
    asked = ("What is the weight of a body?", "What is weight?", "What is the weight of a planet?", "What is a body?")
    found = [_defines(_stretch(0, text), _evidence(passage), query) for query in asked]
    assert found == [True, True, False, False]


def test_every_profile_reads_with_it(bundled_models):
    found = set(bundled_models.each())
    assert found == {"embedder", "entailer", "reranker", "question_encoder", "reader"}
