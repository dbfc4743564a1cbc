"""The small writer: one short real run, if its weights are installed."""

import re

import pytest

from core.models import ModelError
from core.text.answer_sentences import read_answer
from core.writers.language_model import Completion, draft_of
from core.writers.smollm import INSTALL, NAME, is_installed
from core.writers.writer_choice import SmallWriter
from tests.support.cases import evidence

FOUND = (evidence("Sound travels at about 1500 metres per second in water", 0.9), evidence("Light is faster", 0.8, 1))


@pytest.mark.long
@pytest.mark.skipif(not is_installed(), reason=f"the small writer is not installed: {INSTALL}")
def test_it_writes_the_same_words_again_and_what_a_listener_raises_ends_it(monkeypatch):
    monkeypatch.setattr("core.writers.writer_choice._TOKENS", 12)
    heard = []
    draft = SmallWriter(heard.append).write("How fast does sound travel in water?", FOUND)
    assert draft.writer == f"small ({NAME})" and draft.sentences and not draft.given
    assert re.search(r"\w", heard[-1])
    from core.writers.smollm import smollm

    smollm()._cache.clear()
    assert SmallWriter().write("How fast does sound travel in water?", FOUND) == draft
    told = []
    assert SmallWriter(told.append).write("How fast does sound travel in water?", FOUND) == draft
    assert not any(told)  # remembered

    class Stop(BaseException):
        pass

    def stop(text):
        if text:
            raise Stop

    with pytest.raises(Stop):
        SmallWriter(stop).write("Is light faster than sound?", FOUND)
    monkeypatch.setattr("core.writers.writer_choice.SECONDS", 0.0)
    late = SmallWriter().write("Is light faster than sound?", FOUND)
    assert len(late.text.split()) <= 3


def test_a_cut_off_sentence_goes_unless_it_is_all_there_is():
    cut = draft_of(Completion(text="Plants make food [1]. They need", whole=False), "w")
    assert [s.text for s in cut.sentences] == ["Plants make food."] and cut.sentences[0].citations == (1,)
    assert draft_of(Completion(text="Plants make", whole=False), "w").text == "Plants make"
    assert draft_of(Completion(text="They need light. Also", whole=True), "w") == read_answer(
        "They need light. Also", writer="w"
    )
    for nothing in (" ", "[3]", "[1, 2] [3]."):
        with pytest.raises(ModelError, match="wrote nothing"):
            draft_of(Completion(text=nothing, whole=True), "w")


@pytest.mark.parametrize(("text", "expected"), [
    ("[2] Plants make food. They need light. [1, 3] Roots drink.", [("Plants make food.", (2,)), ("They need light.", ()), ("Roots drink.", (1, 3))]),
    ("[1] [2] Plants make food. [3]", [("Plants make food.", (1, 2, 3))]),
    ("Plants make food [2]. [1] They need light.", [("Plants make food.", (2, 1)), ("They need light.", ())]),
])  # fmt: skip
def test_marks_before_the_sentences_of_a_model_stand_behind_them(text, expected):
    found = draft_of(Completion(text=text, whole=True), "w").sentences
    assert [(s.text, s.citations) for s in found] == expected
