"""Runs an example under a preset, and gives its outcome in the words of its document."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.case import Case, Trace
from core.decide import Verdict, next_step, verdict
from core.graph import Explorer
from core.graph.rounds import measure
from core.lab.printed_examples import document_a, document_b, document_c, document_d, document_e
from core.lab.printed_examples.example import Example
from core.presets import preset, with_settings
from core.reply.document_records import abstention, metadata, rejection_reason
from core.retrieval.retriever import search_contexts
from core.settings import Settings
from core.settings.domains import domain
from core.text.answer_sentences import given_draft
from core.thresholds import Preset

PRESETS = ("own", "as_printed", "default")
"""The presets under which every example runs: "own", which is the preset of its document, and two presets of the whole
chain."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """A source document. outcome: a function that returns the outcome of a run in the words of the document. domain:
    the domain that its examples run in."""

    title: str
    examples: Mapping[str, Example]
    outcome: Callable[["Run"], str]
    domain: str = "school"


@dataclass(frozen=True, kw_only=True)
class Run:
    """One example run under one preset, with its trace and verdict. letter: the source document, A to E."""

    letter: str
    example: Example
    preset: Preset
    trace: Trace
    verdict: Verdict

    @property
    def outcome(self) -> str:
        """The outcome in the words of the document. If the example's `message` is True, it is the text that the user
        gets.

        A printed text that ends with "..." is cut short in the document: a text that begins like it gives the printed
        one.
        """
        if not self.example.message:
            return DOCUMENTS[self.letter].outcome(self)
        printed = self.example.printed
        return printed if self.verdict.answer.startswith(printed.removesuffix("...")) else self.verdict.answer


def preset_for(letter: str, name: str, example: Example) -> Preset:
    """The preset called `name` in PRESETS, with the thresholds that the example changes."""
    return with_settings(preset(f"seed_{letter.lower()}" if name == "own" else name), list(example.changes))


def run(letter: str, example: Example, name: str, models: Any) -> Run:
    """Run one example under one of PRESETS."""
    return run_under(letter, example, preset_for(letter, name, example), models)


def run_under(letter: str, example: Example, preset_: Preset, models: Any) -> Run:
    """Run one example under any preset. For document B only the first round is measured, since its examples end before
    an answer is written."""
    if letter == "B":
        trace = searched(example, models)
    else:
        settings = Settings(domain=DOCUMENTS[letter].domain, writer="extractive")
        trace, _ = Explorer(None, models, settings).ask(example.question, preset_)
    return Run(letter=letter, example=example, preset=preset_, trace=trace, verdict=verdict(trace, preset_))


def searched(example: Example, models: Any) -> Trace:
    """A trace with the first round of an example, as if its contexts had been found in a library.

    Contexts that a caller brings would rule out a refined search, which the examples of document B need.
    """
    question = replace(example.question, contexts=None)
    retrieval = search_contexts(example.query, example.scope, example.contexts, models)
    case = Case(
        question=question, query=example.query, evidence=retrieval.evidence, closest=retrieval.closest,
        draft=given_draft(question),
    )  # fmt: skip
    return Trace(question=question, rounds=(measure("first", case, models),))


SOMETHING_ELSE: Mapping[str, str] = {"deliver_part": "a part", "deliver_corrected": "corrected"}
"""Outcomes that neither reject the answer nor give it out as it is, by route."""


def rejection_or_accepted(run_result: Run) -> str:
    """The outcome of a run in the words of document A: the reason of a rejection, ACCEPTED, or what goes out
    instead."""
    verdict_ = run_result.verdict
    other = SOMETHING_ELSE.get(verdict_.route)
    return other or rejection_reason(verdict_, run_result.preset) or document_a.ACCEPTED


def destination(run_result: Run) -> str:
    """The outcome of a run in the words of document B: REFINE if a refined search follows, SYNTHESIZER if the passages
    go to the writer, else the action of the next step."""
    step = next_step(run_result.trace, run_result.preset)
    if step.action == "measure" and step.round.startswith("refined"):
        return document_b.REFINE
    return document_b.SYNTHESIZER if "write" in run_result.verdict.steps else step.action


def abstention_or_proceed(run_result: Run) -> str:
    """The outcome of a run in the words of document C: the reason to abstain, PROCEED if the answer is delivered, or
    what goes out instead."""
    verdict_ = run_result.verdict
    if verdict_.route == "deliver":
        return document_c.PROCEED
    if other := SOMETHING_ELSE.get(verdict_.route):
        return other
    return abstention(verdict_, verdict_.abstaining_layers).reason or verdict_.primary_reason or verdict_.route


def stages_and_end(run_result: Run) -> str:
    """The outcome of a run in the words of document D: the result of stage 1, the result of stage 2, and the end, such
    as "pass, high, delivered"."""
    verdict_ = run_result.verdict
    interest = metadata(verdict_, run_result.preset, domain("shop")).company_interest
    first = f"block {interest.violation_type}" if interest and interest.should_block else "pass"
    if not interest:
        first = "not asked"
    second = verdict_.tier if "stage 2" in verdict_.steps else "skipped"
    ends = {"deliver": "delivered", "refuse": "refused", "escalate": "escalated"}
    return f"{first}, {second}, {ends.get(verdict_.route, verdict_.route)}"


def nodes(run_result: Run) -> str:
    """The outcome of a run in the words of document E: the nodes of its graph that the question passes."""
    verdict_ = run_result.verdict
    if verdict_.route == "clarify":
        return "clarify_query"
    passed = ["decompose_query"] if verdict_.parts else []
    passed += ["generate"] if "write" in verdict_.steps or verdict_.parts else []
    passed += ["correct_response"] if "correct" in verdict_.steps else []
    ends = {"deliver": "finalize", "deliver_corrected": "finalize", "deliver_part": "a part"}
    return ", ".join([*passed, ends.get(verdict_.route, document_e.FALLBACK)])


def without_marks(answer: str) -> str:
    """An answer without its citation marks."""
    return re.sub(r" \[\d+\]", "", answer)


DOCUMENTS: Mapping[str, Document] = {
    "A": Document(
        title="Safety mechanism: “I don't know” decision logic", examples=document_a.TABLE,
        outcome=rejection_or_accepted,
    ),
    "B": Document(title="Confidence heuristics", examples=document_b.TABLE, outcome=destination),
    "C": Document(title="Abstention detection", examples=document_c.TABLE, outcome=abstention_or_proceed),
    "D": Document(
        title="Two-stage guardrail system", examples=document_d.TABLE, outcome=stages_and_end, domain="shop",
    ),
    "E": Document(title="LangGraph edge cases", examples=document_e.TABLE, outcome=nodes),
}  # fmt: skip
"""The source documents by their letter."""
