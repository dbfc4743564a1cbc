"""The guardrail as a node of other people's graphs: the printed example, with a retriever and a model of LangChain."""

import re
import runpy
from pathlib import Path

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda

from core.case import CaseError
from core.graph import Explorer, guardrail
from core.presets import preset
from core.reply.reply import reply_of
from core.reply.serialization import question_of
from tests.support.replies import timeless

README = Path(__file__).parents[2] / "core" / "graph" / "README.md"
PLANTS = "Photosynthesis is the process by which green plants make their own food. Oxygen is given out during photosynthesis."
QUESTION = "What is given out during photosynthesis?"
RIGHT, WRONG = "Oxygen is given out during photosynthesis [1].", "Helium is given out during photosynthesis [1]."


class Books(BaseRetriever):
    """Somebody else's retriever: it finds the same page whatever is asked."""

    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(PLANTS, metadata={"source": "books/plants.pdf", "page": 2})]


def test_the_printed_example_guards_a_retriever_and_a_model_of_others(bundled_models, tmp_path):
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    names = {"retriever": Books(), "model": FakeListChatModel(responses=[RIGHT, WRONG])}
    script = tmp_path / "example.py"
    script.write_text(example, encoding="utf-8")
    names = runpy.run_path(str(script), init_globals=names)
    right, wrong = (names["guarded"].invoke({"question": QUESTION}) for _ in range(2))
    assert (right["route"], right["response"], right["needs_correction"]) == ("deliver", RIGHT, False)
    assert right["has_sufficient_context"] and right["fact_check_score"] > 0.7 and right["corrected_response"] == ""
    assert wrong["response"] != WRONG and "Helium" not in wrong["response"] and wrong["route"] != "deliver"
    assert wrong["verdict"]["passages"][0]["document"] == "plants.pdf" and wrong["verdict"]["passages"][0]["page"] == 3


def test_it_is_a_runnable_that_judges_as_a_row_is_judged(models):
    explorer, under = Explorer(None, models), preset("as_printed")
    chain = RunnableLambda(lambda answer: {"question": QUESTION, "context": [PLANTS], "response": answer}) | guardrail(
        explorer, under
    )
    answers = [RIGHT, WRONG, None]
    for answer, state in zip(answers, chain.batch(answers), strict=True):
        trace, verdict = explorer.ask(question_of({"query": QUESTION, "contexts": [PLANTS], "answer": answer}), under)
        assert timeless(state["verdict"]) == timeless(reply_of(trace, verdict, under).row())
        assert (state["route"], state["response"]) == (verdict.route, verdict.answer)
        assert state["context_quality"] == verdict.checks["context_quality"].value


def test_a_state_that_cannot_be_read_is_one_sentence(models):
    guard = guardrail(Explorer(None, models))
    for state, said in (
        ({"question": QUESTION}, "no context"),
        ({"question": QUESTION, "context": [7]}, "Context 1"),
        ({"context": []}, "query"),
    ):
        with pytest.raises(CaseError, match=said):
            guard.invoke(state)
