"""Gaps: questions of one meaning stand together, and each is read by the model once."""

import time

import numpy as np

from core.journal import Lacking
from core.journal.coverage_gaps import MOST, clusters_of, gaps_of
from tests.support.fake_models import FakeEmbedder

NOW = time.time()


def lacking(*questions, reason="off_topic"):
    return [Lacking(question=q, reason=reason, asked=1, last=NOW - n) for n, q in enumerate(questions)]


def test_questions_of_one_meaning_are_one_gap():
    asked = lacking("Who was Napoleon?", "What is jazz?", "Who was Napoleon?", "Napoleon", "What is jazz music?")
    found = gaps_of(asked, FakeEmbedder().encode)
    assert [(gap.asked, set(gap.questions)) for gap in found] == [
        (3, {"Who was Napoleon?", "Napoleon"}), (2, {"What is jazz?", "What is jazz music?"}),
    ]  # fmt: skip
    assert found[0].questions[0] == "Who was Napoleon?" and found[0].question in found[0].questions
    assert found[0].last == NOW and found[0].reasons == {"off_topic": 3}


def test_the_question_in_the_middle_stands_for_the_others():
    vectors = {"left": [1, 0, 0.2], "middle": [1, 0, 0], "right": [1, 0, -0.2], "far": [0, 1, 0]}
    unit = {text: np.array(v) / np.linalg.norm(v) for text, v in vectors.items()}
    found = gaps_of(lacking("left", "far", "right", "middle"), lambda texts: np.array([unit[t] for t in texts]))
    assert [gap.question for gap in found] == ["middle", "far"]


def test_each_question_is_read_once_and_progress_is_told():
    model, heard = FakeEmbedder(), []
    asked = lacking(*(f"What is thing{n}?" for n in range(70)), "What is thing1?")
    gaps_of(asked, model.encode, lambda done, of: heard.append((done, of)))
    assert heard == [(0, 70), (32, 70), (64, 70)] and model.calls == 3


def test_no_more_than_the_newest_are_grouped():
    found = gaps_of(lacking(*(f"word{n}" for n in range(MOST + 50))), FakeEmbedder().encode)
    assert sum(gap.asked for gap in found) == MOST
    assert "word0" in {q for gap in found for q in gap.questions}


def test_nothing_asked_has_no_gap():
    assert gaps_of([], FakeEmbedder().encode) == []
    assert clusters_of(np.zeros((0, 3))) == []
