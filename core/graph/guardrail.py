"""The whole guardrail as one node of somebody else's graph, with the state fields of seed E."""

from typing import Any, TypedDict

from core.case import CaseError, Trace
from core.chain import Verdict
from core.chain.serialization import question_of, verdict_row
from core.graph.explorer import Explorer
from core.models.profile import load
from core.presets import preset as named
from core.thresholds import Preset

_ASKED = ("class_number", "subject", "history", "tool_results", "citations", "attribute")


class Guarded(TypedDict, total=False):
    """Seed E's state. In go question, context (Documents, texts or mappings) and response; the rest comes out.

    response: what the user gets, in place of what was judged. context_quality and fact_check_score: what the checks of
    these names found, None where they did not run; has_sufficient_context and needs_correction: what they decided.
    corrected_response: what goes out of an answer that does not go out whole, "" otherwise. route and verdict are
    ours: the last step, and the row that `judge` writes. The other fields are read as `judge` reads them.
    """

    question: str
    context: list[Any]
    response: str
    context_quality: float | None
    has_sufficient_context: bool
    fact_check_score: float | None
    needs_correction: bool
    corrected_response: str
    route: str
    verdict: dict[str, Any]
    class_number: int | None
    subject: str
    history: list[dict[str, str]]
    tool_results: list[str]
    citations: list[list[int]]
    attribute: bool


def guardrail(explorer: Explorer | None = None, under: str | Preset = "default") -> Any:
    """A compiled LangGraph that judges `response` against `context`: a subgraph, and a LangChain Runnable by itself.

    Without a response, or where it is None, the explorer's writer answers from the context; without a context its
    library is searched. explorer: None takes the bundled models and no library. under: a preset, or the name of a
    built-in one. CaseError in one sentence for a state that cannot be read, NoAnswerError for a response that is empty.
    """
    from langgraph.graph import END, START, StateGraph  # it takes a second, which nobody else pays for

    limits = named(under) if isinstance(under, str) else under
    asking = explorer or Explorer(None, load())

    def judged(state: Guarded) -> Guarded:
        if state.get("context") is None and asking.library is None:
            raise CaseError("The state has no context; put what your retriever found there, [] where it found nothing.")
        row = {"query": state.get("question"), "contexts": state.get("context")}
        row |= {} if state.get("response") is None else {"answer": state["response"]}
        return _told(*asking.ask(question_of(row | {name: state.get(name) for name in _ASKED}), limits))

    builder = StateGraph(Guarded)
    builder.add_node("guardrail", judged)
    builder.add_edge(START, "guardrail")
    builder.add_edge("guardrail", END)
    return builder.compile(name="guardrail")


def _told(trace: Trace, verdict: Verdict) -> Guarded:
    quality, facts = verdict.checks["context_quality"], verdict.checks["fact_check"]
    whole = verdict.route == "deliver" or not verdict.answered
    return {
        "response": verdict.answer,
        "context_quality": quality.value, "has_sufficient_context": quality.state == "passed",
        "fact_check_score": facts.value, "needs_correction": facts.state == "failed",
        "corrected_response": "" if whole else verdict.answer, "route": verdict.route,
        "verdict": verdict_row(trace, verdict),
    }  # fmt: skip
