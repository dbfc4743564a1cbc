"""One row for each measured question: what became of it, with its reason, confidence and page."""

import pytest

from core.checks import all_checks
from core.evaluation.cases import LabelledCase
from core.graph import Explorer
from core.presentation.question_rows import COLUMNS, result_row
from core.reply.serialization import question_of
from core.thresholds import Preset
from tests.support.libraries import one_chapter

TEXT = "Photosynthesis is the process by which green plants make their own food. Chlorophyll is a green substance."


@pytest.fixture
def explorer(models, tmp_path):
    with one_chapter(tmp_path / "home", models, TEXT) as library:
        yield Explorer(library, models)


def test_a_row_says_what_became_of_its_question(explorer):
    preset = Preset(modes={c.name: "watches" for c in all_checks() if c.name not in ("topic_relevance", "citations")})
    rows = [
        {"query": "What is photosynthesis?", "class_number": 7, "expected": "answered"},
        {"query": "Who is Zorgon?"},
    ]
    cases = [LabelledCase(row=row, trace=explorer.ask(question_of(row), preset)[0]) for row in rows]
    answered, refused = (result_row(case, preset) for case in cases)
    assert tuple(answered) == tuple(refused) == COLUMNS
    assert (answered["route"], answered["outcome"], answered["class"]) == ("deliver", "right_answer", 7)
    assert (answered["document"], answered["page"]) == ("plants.pdf", 1) and answered["answer"]
    assert refused["route"] == "refuse" and refused["reason"] and refused["answer"] is None
