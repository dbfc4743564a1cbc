"""The prepared case: a question with a pasted answer, measured beforehand, so that a page shows it without a model.

It has two answers: `true`, of which all sentences are true, and `mixed`, in which some of them are changed into false
ones. `python -m core.lab.sample.prepared_case` measures both.
"""

import json
from functools import cache
from pathlib import Path

from core.case import Question, Trace
from core.evaluation.conditions import conditions_with
from core.models.calibration import calibration_of
from core.models.profile import names_of
from core.models.weights import MINILM_SHA256
from core.reply.serialization import StoreError, loads, question_of
from core.settings import Settings

FILE = Path(__file__).parents[2] / "data" / "sample" / "prepared_case.json"
ANSWERS = Path(__file__).parents[2] / "data" / "sample" / "prepared_answers.json"
"""The measured case, and the text that it was made from: the document, the question, and each answer by its name."""
MIXED, TRUE = "mixed", "true"


@cache
def prepared_question(name: str) -> Question:
    """The question of the prepared case with the answer called `name`."""
    content = json.loads(ANSWERS.read_text("utf-8"))
    return question_of({"query": content["query"], "answer": content["answers"][name]})


def needed_document() -> str:
    """The file name of the document that the prepared case is about."""
    return json.loads(ANSWERS.read_text("utf-8"))["document"]


@cache
def current_conditions() -> dict[str, str]:
    """The conditions that a stored measurement of the prepared case must have to be valid: the bundled models, and the
    version of the measuring program.
    """
    now = conditions_with("", names_of("bundled"), calibration_of(MINILM_SHA256), Settings())
    return {"models": now.models, "program": now.program}


@cache
def prepared_trace(name: str) -> Trace | None:
    """The stored trace of the answer called `name`, with every round that a preset could need.

    None if it was measured with other models than the bundled ones, by another version of this program, or on another
    text; it then has to be measured again.
    """
    try:
        content = json.loads(FILE.read_text("utf-8"))
        if content["conditions"] != current_conditions():
            return None
        trace = loads(json.dumps(content["traces"][name]))
    except (OSError, ValueError, KeyError, StoreError):
        return None
    return trace if trace.question == prepared_question(name) else None
