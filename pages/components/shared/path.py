"""The decision path: what can happen to a question (path.json), and what happened to one, in words and as a drawing."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import streamlit as st

from core.case import Round, Trace
from core.check import Check
from core.decide import SEARCHES, Verdict, confidence_of
from core.decide.check_results import CheckResult, Results, judge
from core.decide.evidence import limits
from core.presentation.check_tiles import failing, numbers_text, reason, tally
from core.reply.display_rounding import beside, whole
from core.text.questions import plan_of
from core.thresholds import Preset
from core.words import ROUTES, count_of
from pages.components.shared.safe_display import plain

_MAP = json.loads(Path(__file__).with_suffix(".json").read_bytes())
BOXES: dict[str, dict[str, str]] = {box["name"]: box for box in _MAP["boxes"]}
"""The boxes by name, in the order of the chain: the words in the box, what happens there, and whether a path ends."""
LINES: dict[tuple[str, str], str] = {(start, end): word for start, end, word in _MAP["lines"]}
"""The lines between the boxes: (start, end) -> the words on the line."""
_LOOKS = {"refuse": "bad", "clarify": "back", "escalate": "back"}
"""The look of the box in which a path ends, by route; any other route looks good."""
_BOX_OF_STEP = {"split": "parts", "part": "split", "query checks": "query", "answer checks": "answer"}
"""The box of each kind of step whose name differs from that of its box."""


class PathStep(NamedTuple):
    """One step of the path of a question. box: the name of its box, or of the route for the last step. sentence: what
    became of it."""

    box: str
    sentence: str

    @property
    def text(self) -> str:
        """The words of its box."""
        return BOXES[self.box]["text"] if self.box in BOXES else ROUTES[self.box].title


def draw_path(trace: Trace, verdict: Verdict, preset: Preset) -> None:
    """Draw the path of a question beside its steps in words."""
    steps = path_steps(trace, verdict, preset)
    picture, words = st.columns([2, 3], gap="medium")
    picture.graphviz_chart(path_dot(steps), alt=path_title(steps))
    words.markdown(step_list(steps))


def draw_map() -> None:
    """Draw every path that a question can take."""
    st.graphviz_chart(map_dot(), alt="Every path that a question can take")


def path_title(steps: Sequence[PathStep]) -> str:
    """The text alternative of a path: its boxes, and the route that it ends on."""
    *boxes, end = (step.text for step in steps)
    return f"Decision path of this question: {', '.join(dict.fromkeys(boxes))}. It ends: {end.lower()}."


def path_dot(steps: Sequence[PathStep]) -> str:
    """The path in Graphviz's language: a box for each step."""
    looks = ["taken"] * (len(steps) - 1) + [_LOOKS.get(steps[-1].box, "good")]
    boxes = [(str(n), step.text, look) for n, (step, look) in enumerate(zip(steps, looks, strict=True))]
    return _dot(boxes, [(str(n), str(n + 1), "") for n in range(len(steps) - 1)])


def map_dot() -> str:
    """All boxes and lines in Graphviz's language."""
    boxes = [(name, box["text"], "end" if box.get("end") else "taken") for name, box in BOXES.items()]
    return _dot(boxes, [(*ends, word) for ends, word in LINES.items()])


def _dot(boxes: Iterable[tuple[str, str, str]], lines: Iterable[tuple[str, str, str]]) -> str:
    """A drawing in Graphviz's language. boxes: name, words and look of each; style.css has the colours of a look.
    lines: start, end and words of each. All words are those of this program, never text of a book or a user."""

    def quoted(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    look = 'node [shape=box style="rounded" height=0.3 fontsize=11] edge [fontsize=10 arrowsize=0.6]'
    nodes = [f"{quoted(name)} [label={quoted(text)} class={css_class}]" for name, text, css_class in boxes]
    edges = [  # the blank keeps the words off the line
        f"{quoted(start)} -> {quoted(end)}" + (f" [label={quoted(f' {word}')}]" if word else "")
        for start, end, word in lines
    ]
    return f"digraph {{ bgcolor=transparent ranksep=0.28 {look} {' '.join([*nodes, *edges])} }}"


def step_list(steps: Sequence[PathStep]) -> str:
    """The steps as a numbered Markdown list; text of books and users is escaped."""
    lines = [f"{_lead(step.text)} {plain(step.sentence)}" for step in steps[:-1]]
    return "\n".join(f"1. {line}" for line in [*lines, f"**{plain(steps[-1].sentence)}**"])


def box_list() -> str:
    """A Markdown list of what happens in each box in which no path ends."""
    return "\n".join(f"- {_lead(b['text'])} {plain(b['about'])}" for b in BOXES.values() if not b.get("end"))


def _lead(name: str) -> str:
    """The name of a box as the bold beginning of a line."""
    return f"**{plain(name)}{'' if name.endswith('?') else ':'}**"


def path_steps(trace: Trace, verdict: Verdict, preset: Preset) -> tuple[PathStep, ...]:
    """A PathStep for each of `verdict.steps`, in order; the last one is the end."""
    path, counts, steps = _Path(trace=trace, verdict=verdict, preset=preset), Counter[str](), []
    for step in verdict.steps:
        if step in ROUTES:
            steps.append(PathStep(step, f"{ROUTES[step].title}."))
            continue
        name = next((name for name in ("kind", "refine", "part") if step.startswith(name)), step)
        steps.append(PathStep(_BOX_OF_STEP.get(name, name), path.sentence(name, step, counts[name])))
        counts[name] += 1
    return tuple(steps)


@dataclass(frozen=True, kw_only=True)
class _Path:
    """What became of each step of a question."""

    trace: Trace
    verdict: Verdict
    preset: Preset

    def sentence(self, name: str, step: str, time: int) -> str:
        """What became of one step. name: the kind of step. time: how many steps of this kind came before."""
        trace, verdict = self.trace, self.verdict
        match name:
            case "kind":
                return self._kind(step.removeprefix("kind: "))
            case "clear":
                return reason(verdict.checks["clarity"])
            case "split":
                return f"The question has {count_of(len(trace.parts), 'part')}; each part is handled on its own."
            case "part":
                part, outcome = trace.parts[time], ROUTES[step.partition(": ")[2]].words
                return f"Part {time + 1}, “{part.question.query}”: {outcome}. {_asks(part, part.question.query)}"
            case "retrieve":
                search = trace.rounds[0]
                found = f"found {count_of(len(search.case.evidence), 'passage')}"
                return f"The search {'broke' if confidence_of(search) is None else found}."
            case "critic":
                return self._critic(trace.round(SEARCHES[time]))
            case "refine":
                case = trace.round(SEARCHES[time + 1]).case
                words = f"for “{case.query}”" if case.query != case.question.standalone else "in the same words"
                return f"Searched again {words}{f', and for “{case.fetch}”' if case.fetch else ''}."
            case "query checks":
                return _tally({n: r for n, r in verdict.checks.items() if r.stage == "query"})
            case "write":
                draft = self._judged_first.case.draft
                count = count_of(len(draft.sentences) if draft else 0, "sentence")
                return f"The {'pasted ' if draft and draft.given else ''}answer has {count}."
            case "stage 1":
                return self._stage_1(verdict.checks["interest"])
            case "answer checks":
                return self._second_tally() if time else _tally(self._first_checks())
            case "correct":
                correction = trace.round("corrected", verdict.round.name)
                if correction is None or not correction.case.sentences:
                    return "The book has no sentences from which the answer could be rewritten."
                return "The answer was rewritten from the book."
            case "stage 2":
                return self._stage_2((verdict.checks if time else self._first_checks())["fact_grounding"])
            case _:
                return self._recheck()

    @property
    def _judged_first(self) -> Round:
        """The round that was judged first; a recheck and a correction start from it."""
        judged = self.verdict.round
        return self.trace.round(judged.of) if judged.name == "rechecked" else judged

    def _first_checks(self) -> Results:
        """The results of the answer checks in the round that was judged first."""
        if self.verdict.round.name == "rechecked":
            return judge(self._judged_first, self.preset, "answer")
        return {n: r for n, r in self.verdict.checks.items() if r.stage == "answer"}

    def _second_tally(self) -> str:
        """What the answer checks say of the rewritten answer; of the same answer with more passages after a recheck."""
        if "correct" not in self.verdict.steps:
            again = {n: r for n, r in self.verdict.checks.items() if r.stage == "answer"}
            return _tally(again, "Again, ")
        if self.verdict.route == "deliver_corrected":
            results = self.verdict.delivery.checks
        else:
            results = judge(self.trace.round("corrected", self.verdict.round.name), self.preset, "answer")
        return _tally(results, "The rewritten answer: ")

    def _kind(self, kind: str) -> str:
        if kind != "question":
            noun = "about the last reply" if kind == "about last turn" else f"a {kind}" if "tool" in kind else kind
            return f"This message is {noun}, so nothing is looked up."
        several = "Several things are asked; a full answer needs all of them."
        asks = several if self.trace.parts else _asks(self.trace, self.trace.question.standalone)
        return f"This message is a question to the library. {asks}"

    def _critic(self, search: Round) -> str:
        if (confidence := confidence_of(search)) is None:
            return "There is no evidence, because the search broke."
        named, others = limits(self.preset)
        limit = named if self.trace.question.scope.named else others
        value = str(whole(confidence))
        sentence = f"Evidence confidence {value} of 100, needs at least {limit:g}."
        if confidence / 100 < limit / 100 - 1e-9 and search.case.exhausted:
            sentence += " There is no other wording to search for."
        best = value if self.verdict.confidence is None else str(whole(self.verdict.confidence))
        return sentence + (f" The best search reached {best}." if best != value else "")

    def _stage_1(self, result: CheckResult) -> str:
        if result.state == "failed":
            return result.why + ("" if result.blocks else " Monitor only: this check stops nothing.")
        if (self.verdict.stage, self.verdict.route) == ("stage 1", "deliver"):
            return "The answer is in scope and states nothing that needs a fact check."
        return f"The answer is in scope. {result.why}"

    def _stage_2(self, result: CheckResult) -> str:
        if result.value is None:
            return result.why
        check = Check.registry["fact_grounding"]
        t = check.bind(self.preset)
        high, medium = float(t.high), float(t.medium)
        tier, value = check.tier_of(result.value, t), beside(result.value, high, medium)
        return f"Score {value}, the {tier} tier: medium begins at {medium:.2f}, high at {high:.2f}."

    def _recheck(self) -> str:
        recheck = self.trace.round("rechecked", self._judged_first.name)
        if recheck is None:
            return "The answer needs a second check with more passages."
        outcome = "better" if self.verdict.round is recheck else "no better"
        return f"Checked again with {count_of(len(recheck.case.evidence), 'passage')}: {outcome}."


def _asks(trace: Trace, query: str) -> str:
    """What a question asks for. One in another language is not read by rules of English, so only that is said."""
    language = trace.rounds[0].case.language if trace.rounds else ""
    return f"The question is in {language}, but the books are in English." if language else plan_of(query).in_words


def _tally(results: Results, lead: str = "") -> str:
    """A sentence on a group of checks: how many passed, and the numbers of all failed checks that block. lead: how it
    begins."""
    counts = f"{lead}{tally(results.values())}."
    stopping, _ = failing(results.values())
    stopped = f" Stopped by {'; '.join(map(numbers_text, stopping))}." if stopping else ""
    return f"{counts[0].upper()}{counts[1:]}{stopped}"
