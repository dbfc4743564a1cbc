"""Runs every example that the source documents print with the bundled models: python -m core.lab.printed_examples.

data/sample/printed_examples.json declares the examples. The command runs each under three presets (that of its
document, `as_printed` and `default`), and writes the outcomes, and the reasons for differences, into the same file,
which the app shows.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from core.case import Case, Trace
from core.checks import all_checks
from core.decide import Verdict, next_step, verdict
from core.graph import Explorer
from core.graph.rounds import measure
from core.lab.figure_files import store_figures
from core.models.profile import load
from core.presentation.printed_examples import FILE, RUNS, ExampleRun, PrintedExample
from core.presets import preset, with_settings
from core.question import Question
from core.reply.document_records import abstention, metadata, rejection_reason
from core.reply.serialization import question_of
from core.retrieval.retriever import search_contexts
from core.settings import Settings
from core.settings.domains import domain
from core.text.answer_sentences import given_draft
from core.thresholds import Preset

MODEL = "language model: "
"""The first words of a `difference` that a better language model would remove."""
SOMETHING_ELSE: Mapping[str, str] = {"deliver_part": "a part", "deliver_corrected": "corrected"}
"""Outcomes that neither reject the answer nor give it out as it is, by route."""


class Example(PrintedExample):
    """An example with what is expected of it here.

    printed: the outcome that the document prints, in its own words; with `message`, the text that the user gets. ours:
    the outcome here under the preset of the document; "" if it is the printed one. difference: why `ours` is not the
    printed outcome. nli: True if the outcome depends on the NLI model, so that it must be read again after training.

    Of document C: label: the entailer's label of the whole answer if layer 2 (grounding) decides, else "". hedges: True
    if layer 3 (hedging) finds one of its patterns. Of document E: by: the check that blocks the answer; "" if none
    does. goes_out: the text that the user gets, without citation marks; "" if no particular text is expected.
    """

    runs: dict[str, ExampleRun] = {}
    ours: str = ""
    difference: str = ""
    nli: bool = False
    message: bool = False
    label: str = ""
    hedges: bool = False
    by: str = ""
    goes_out: str = ""

    @property
    def outcome(self) -> str:
        """The outcome that is expected here under the preset of the document."""
        return self.ours or self.printed

    @property
    def question(self) -> Question:
        return question_of(self.row)


def examples() -> dict[str, dict[str, Example]]:
    """All examples: the letter of a document -> the name of an example -> the example."""
    content, tables = _content(), {}
    for row in content["examples"]:
        example = Example.model_validate(row | {"title": content["documents"][row["document"]]})
        tables.setdefault(example.letter, {})[example.name] = example
    return tables


def _content() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


@dataclass(frozen=True, kw_only=True)
class Run:
    """One example run under one preset, with its trace and verdict."""

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
            return OUTCOMES[self.example.letter](self)
        printed = self.example.printed
        return printed if self.verdict.answer.startswith(printed.removesuffix("...")) else self.verdict.answer

    @property
    def difference(self) -> str:
        """The reason, as a sentence, why the outcome is not the printed one; "" if it is.

        For the outcome that the example expects here, this is the sentence in the example's `difference`.
        """
        if self.outcome == self.example.printed:
            return ""
        if self.outcome == self.example.ours:
            return self.example.difference
        stopped_by = [c.plain for c in all_checks() if self.verdict.checks[c.name].blocks]
        if stopped_by:
            return f"{self.verdict.explanation} Not passed: {'; '.join(stopped_by)}."
        own = [c for c in all_checks() if c.source_document == self.example.letter]
        if watched := [c.plain for c in own if c.name in self.verdict.failed]:
            return f"The document's own check only monitors in this preset. Not passed: {'; '.join(watched)}."
        return self.verdict.explanation or "No check that blocks in this preset stops it."

    def row(self) -> dict[str, Any]:
        """The run as JSON: its outcome, the printed one, and a summary of the verdict."""
        return {
            "outcome": self.outcome, "as_printed": self.outcome == self.example.printed,
            "difference": self.difference, "route": self.verdict.route, "answer": self.verdict.answer,
            "confidence": self.verdict.confidence, "failed": list(self.verdict.failed),
        }  # fmt: skip


def run(example: Example, name: str, models: Any) -> Run:
    """Run one example under the preset called `name` in RUNS, with the thresholds that the example changes."""
    base = preset(example.preset if name == "own" else name)
    return run_under(example, with_settings(base, list(example.changes)), models)


def run_under(example: Example, preset_: Preset, models: Any) -> Run:
    """Run one example under any preset. For document B only the first round is measured, since its examples end before
    an answer is written."""
    if example.letter == "B":
        trace = searched(example.question, models)
    else:
        settings = Settings(domain=example.domain, writer="extractive")
        trace, _ = Explorer(None, models, settings).ask(example.question, preset_)
    return Run(example=example, preset=preset_, trace=trace, verdict=verdict(trace, preset_))


def searched(question: Question, models: Any) -> Trace:
    """A trace with the first round of a question, as if its contexts had been found in a library.

    Contexts that a caller brings would rule out a refined search, which the examples of document B need.
    """
    retrieval = search_contexts(question.query, question.scope, question.contexts or (), models)
    question = replace(question, contexts=None)
    case = Case(
        question=question, query=question.query, evidence=retrieval.evidence, closest=retrieval.closest,
        draft=given_draft(question),
    )  # fmt: skip
    return Trace(question=question, rounds=(measure("first", case, models),))


def rejection_or_accepted(run: Run) -> str:
    """The outcome of a run in the words of document A: the reason of a rejection, "accepted", or what goes out
    instead."""
    return SOMETHING_ELSE.get(run.verdict.route) or rejection_reason(run.verdict, run.preset) or "accepted"


def destination(run: Run) -> str:
    """The node of document B's graph that follows: "refine_retrieve" if a refined search follows, "synthesizer" if the
    passages go to the writer, else the action of the next step."""
    step = next_step(run.trace, run.preset)
    if step.action == "measure" and step.round.startswith("refined"):
        return "refine_retrieve"
    return "synthesizer" if "write" in run.verdict.steps else step.action


def abstention_or_proceed(run: Run) -> str:
    """The outcome of a run in the words of document C: the reason to abstain, "proceed" if the answer is delivered, or
    what goes out instead."""
    found = run.verdict
    if found.route == "deliver":
        return "proceed"
    if other := SOMETHING_ELSE.get(found.route):
        return other
    return abstention(found, found.abstaining_layers).reason or found.primary_reason or found.route


def stages_and_end(run: Run) -> str:
    """The outcome of a run in the words of document D: the result of stage 1, the result of stage 2, and the end, such
    as "pass, high, delivered"."""
    interest = metadata(run.verdict, run.preset, domain("shop")).company_interest
    first = "pass" if interest else "not asked"
    if interest and interest.should_block:
        first = f"block {interest.violation_type}"
    second = run.verdict.tier if "stage 2" in run.verdict.steps else "skipped"
    ends = {"deliver": "delivered", "refuse": "refused", "escalate": "escalated"}
    return f"{first}, {second}, {ends.get(run.verdict.route, run.verdict.route)}"


def nodes(run: Run) -> str:
    """The outcome of a run in the words of document E: the nodes of its graph that the question passes."""
    found = run.verdict
    if found.route == "clarify":
        return "clarify_query"
    passed = ["decompose_query"] if found.parts else []
    passed += ["generate"] if "write" in found.steps or found.parts else []
    passed += ["correct_response"] if "correct" in found.steps else []
    ends = {"deliver": "finalize", "deliver_corrected": "finalize", "deliver_part": "a part"}
    return ", ".join([*passed, ends.get(found.route, "fallback_response")])


def without_marks(answer: str) -> str:
    """An answer without its citation marks."""
    return re.sub(r" \[\d+\]", "", answer)


OUTCOMES: Mapping[str, Callable[[Run], str]] = {
    "A": rejection_or_accepted, "B": destination, "C": abstention_or_proceed, "D": stages_and_end, "E": nodes,
}  # fmt: skip
"""For each source document, the function that puts the outcome of a run into its words."""


def main() -> None:
    """Run all examples, and write their outcomes into the file."""
    models, content, tables = load(), _content(), examples()
    for row in content["examples"]:
        example = tables[row["document"]][row["name"]]
        row["runs"] = {name: run(example, name, models).row() for name in RUNS}
    store_figures(FILE, content | {"models": models.names})
    for name in RUNS:
        same = sum(row["runs"][name]["as_printed"] for row in content["examples"])
        print(f"{name}: {same} of {len(content['examples'])} as printed")


if __name__ == "__main__":
    main()
