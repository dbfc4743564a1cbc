"""The whole guardrail as one node for other LangGraph graphs, with the state fields of source document E."""

from typing import Any, TypedDict

from core.case import CaseError
from core.graph.explorer import Explorer
from core.models.profile import load
from core.presets import preset as named
from core.reply.reply import reply_of
from core.reply.serialization import question_of
from core.settings.domains import domain
from core.thresholds import Preset

_QUESTION_FIELDS = ("class_number", "subject", "history", "tool_results", "citations", "attribute")


class GuardrailState(TypedDict, total=False):
    """The state of the graph.

    Inputs: question, context (Documents, texts or mappings) and response. Optional inputs, with the same meaning as for
    `judge`: class_number, subject, history, tool_results, citations, attribute. Outputs: all other fields, and
    response, which is replaced by the text that the user gets.
    context_quality, fact_check_score: values of these checks, None if they did not run. has_sufficient_context,
    needs_correction: their decisions. corrected_response: the delivered text if it differs from the whole answer, else
    "". route: how the question ends. verdict: the row that `judge` writes. The last two are not in source document E.
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
    """Build a compiled LangGraph that judges `response` against `context`. It can be used as a subgraph and as a
    LangChain Runnable.

    Without a response, the explorer's writer answers from the context. Without a context, the explorer's library is
    searched.
    explorer: None for the bundled models without a library. under: the preset that decides, or the name of a built-in
    one. The graph raises CaseError for a state that cannot be read, and NoAnswerError for an empty response.
    """
    from langgraph.graph import END, START, StateGraph  # imported here: it takes a second

    limits = named(under) if isinstance(under, str) else under
    asked_explorer = explorer or Explorer(None, load())

    def judge_state(state: GuardrailState) -> GuardrailState:
        if state.get("context") is None and asked_explorer.library is None:
            raise CaseError("The state has no context; put what your retriever found there, [] where it found nothing.")
        row = {"query": state.get("question"), "contexts": state.get("context")}
        row |= {} if state.get("response") is None else {"answer": state["response"]}
        question = question_of(row | {name: state.get(name) for name in _QUESTION_FIELDS})
        trace, verdict = asked_explorer.ask(question, limits)
        quality, facts = verdict.checks["context_quality"], verdict.checks["fact_check"]
        is_unchanged = verdict.route == "deliver" or not verdict.answered
        return {
            "response": verdict.answer,
            "context_quality": quality.value, "has_sufficient_context": quality.state == "passed",
            "fact_check_score": facts.value, "needs_correction": facts.state == "failed",
            "corrected_response": "" if is_unchanged else verdict.answer, "route": verdict.route,
            "verdict": reply_of(trace, verdict, limits, domain(asked_explorer.settings.domain)).row(),
        }  # fmt: skip

    builder = StateGraph(GuardrailState)
    builder.add_node("guardrail", judge_state)
    builder.add_edge(START, "guardrail")
    builder.add_edge("guardrail", END)
    return builder.compile(name="guardrail")
