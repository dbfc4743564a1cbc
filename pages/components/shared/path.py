"""The decision path: what can happen to a question (path.json), and what happened to one, in words and as a drawing."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from core.case import Round, Trace
from core.check import Check
from core.decide import SEARCHES, Verdict, confidence_of
from core.decide.check_results import Results, judge
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
_BOX_OF_STEP = {
    "split": "parts", "part": "split", "query checks": "query", "answer checks": "answer",
}  # fmt: skip
"""The box of each step on the map, where it has not the name of the step."""


@dataclass(frozen=True, kw_only=True)
class PathStep:
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
    with picture:
        st.graphviz_chart(path_dot(steps), alt=path_title(steps))
    with words:
        st.markdown(step_list(steps))


def draw_map() -> None:
    """Draw every path that a question can take."""
    st.graphviz_chart(map_dot(), alt="Every path that a question can take")


def path_title(steps: Sequence[PathStep]) -> str:
    """The text alternative of a path: its boxes, and the route that it ends on."""
    *boxes, end = (step.text for step in steps)
    return f"Decision path of this question: {', '.join(dict.fromkeys(boxes))}. It ends: {end.lower()}."


def path_dot(steps: Sequence[PathStep]) -> str:
    """The path in Graphviz's language: a box for each step.

    The labels are words of this program, never text of a book or a user. style.css sets the colours.
    """
    last = len(steps) - 1
    nodes = [
        _node(str(n), step.text, _LOOKS.get(step.box, "good") if n == last else "taken") for n, step in enumerate(steps)
    ]
    return _dot(nodes, [_line(str(n), str(n + 1)) for n in range(last)])


def map_dot() -> str:
    """All boxes and lines in Graphviz's language."""
    nodes = [_node(name, box["text"], "end" if box.get("end") else "taken") for name, box in BOXES.items()]
    return _dot(nodes, [_line(start, end, word) for (start, end), word in LINES.items()])


def _dot(nodes: Sequence[str], lines: Sequence[str]) -> str:
    look = 'node [shape=box style="rounded" height=0.3 fontsize=11] edge [fontsize=10 arrowsize=0.6]'
    return f"digraph {{ bgcolor=transparent ranksep=0.28 {look} {' '.join([*nodes, *lines])} }}"


def _node(name: str, text: str, look: str) -> str:
    return f"{_quoted(name)} [label={_quoted(text)} class={look}]"


def _line(start: str, end: str, word: str = "") -> str:
    label = f" [label={_quoted(f' {word}')}]" if word else ""  # the blank keeps the word off the line
    return f"{_quoted(start)} -> {_quoted(end)}{label}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def step_list(steps: Sequence[PathStep]) -> str:
    """The steps as a numbered Markdown list; text of books and users is escaped."""
    lines = [f"{lead(step.text)} {plain(step.sentence)}" for step in steps[:-1]]
    return "\n".join(f"1. {line}" for line in [*lines, f"**{plain(steps[-1].sentence)}**"])


def box_list() -> str:
    """A Markdown list of what happens in each box in which no path ends."""
    return "\n".join(f"- {lead(b['text'])} {plain(b['about'])}" for b in BOXES.values() if not b.get("end"))


def lead(name: str) -> str:
    """The name of a box as the bold beginning of a line."""
    return f"**{plain(name)}{'' if name.endswith('?') else ':'}**"


def path_steps(trace: Trace, verdict: Verdict, preset: Preset) -> tuple[PathStep, ...]:
    """A PathStep for each of `verdict.steps`, in order; the last one is the end."""
    path, counts = _Path(trace=trace, verdict=verdict, preset=preset), Counter[str]()
    steps = []
    for step in verdict.steps:
        name = next((name for name in ("kind", "refine", "part") if step.startswith(name)), step)
        if step in ROUTES:
            box, sentence = step, f"{ROUTES[step].title}."
        else:
            box, sentence = _BOX_OF_STEP.get(name, name), _SENTENCES[name](path, step, counts[name])
        steps.append(PathStep(box=box, sentence=sentence))
        counts[name] += 1
    return tuple(steps)


@dataclass(frozen=True, kw_only=True)
class _Path:
    """What the functions that describe a step read."""

    trace: Trace
    verdict: Verdict
    preset: Preset

    def round(self) -> Round:
        """The round that was judged first; a recheck and a correction start from it."""
        judged_round = self.verdict.round
        return self.trace.round(judged_round.of) if judged_round.name == "rechecked" else judged_round

    def checks(self, stage: str) -> Results:
        return {n: r for n, r in self.verdict.checks.items() if r.stage == stage}

    def answer_checks(self) -> Results:
        """The results of the answer checks in the round that was judged first."""
        is_rechecked = self.verdict.round.name == "rechecked"
        return judge(self.round(), self.preset, "answer") if is_rechecked else self.checks("answer")

    def second_checks(self) -> Results:
        """The results of the answer checks for the correction or the rechecked answer."""
        if "correct" not in self.verdict.steps:
            return self.checks("answer")
        if self.verdict.route == "deliver_corrected":
            return self.verdict.delivery.checks
        return judge(self.trace.round("corrected", self.verdict.round.name), self.preset, "answer")


def _kind(path: _Path, step: str, _: int) -> str:
    kind = step.removeprefix("kind: ")
    if kind == "question" and path.trace.parts:
        return "It is a question to the library. It asks several things: a full answer needs each of them."
    if kind == "question":
        return f"It is a question to the library. {plan_of(path.trace.question.standalone).in_words}"
    noun = "about my last words" if kind == "about last turn" else f"a {kind}" if "tool" in kind else kind
    return f"It is {noun}: it asks nothing of the library."


def _part(path: _Path, step: str, time: int) -> str:
    query = path.trace.parts[time].question.query
    return f"Part {time + 1}, “{query}”: {ROUTES[step.partition(': ')[2]].words}. {plan_of(query).in_words}"


def _retrieve(path: _Path, _: str, __: int) -> str:
    if confidence_of(path.trace.rounds[0]) is None:
        return "The search broke."
    return f"The search found {count_of(len(path.trace.rounds[0].case.evidence), 'passage')}."


def _critic(path: _Path, _: str, time: int) -> str:
    search = path.trace.round(SEARCHES[time])
    if (confidence := confidence_of(search)) is None:
        return "There is no evidence, because the search broke."
    named, others = limits(path.preset)
    limit = named if path.trace.question.scope.named else others
    value = str(whole(confidence))
    sentence = f"Evidence confidence {value} of 100, needs at least {limit:g}."
    if confidence / 100 < limit / 100 - 1e-9 and search.case.exhausted:
        sentence += " No other wording is left to search with."
    best = value if path.verdict.confidence is None else str(whole(path.verdict.confidence))
    return sentence + (f" The best search has {best}." if best != value else "")


def _refine(path: _Path, _: str, time: int) -> str:
    search = path.trace.round(SEARCHES[time + 1]).case
    words = f"as “{search.query}”" if search.query != search.question.standalone else "in the same words"
    return f"Asked again {words}{f', and for “{search.fetch}”' if search.fetch else ''}."


def _write(path: _Path, _: str, __: int) -> str:
    draft = path.round().case.draft
    count = count_of(len(draft.sentences) if draft else 0, "sentence")
    return f"The answer has {count}{', as it was pasted' if draft and draft.given else ''}."


def _stage_1(path: _Path, _: str, __: int) -> str:
    result = path.verdict.checks["interest"]
    if result.state == "failed":
        return result.why + ("" if result.blocks else " Monitor only: it stops nothing.")
    if (path.verdict.stage, path.verdict.route) == ("stage 1", "deliver"):
        return "It is in scope, and states nothing that needs a check."
    return f"It is in scope. {result.why}"


def _answer(path: _Path, _: str, time: int) -> str:
    return _tally(path.second_checks(), "Again, ") if time else _tally(path.answer_checks())


def _correct(path: _Path, _: str, __: int) -> str:
    correction = path.trace.round("corrected", path.verdict.round.name)
    if correction is None or not correction.case.sentences:
        return "The book has no sentences from which the answer could be rewritten."
    return "The answer was rewritten from the book."


def _stage_2(path: _Path, _: str, time: int) -> str:
    results = path.verdict.checks if time else path.answer_checks()
    result, check = results["fact_grounding"], Check.registry["fact_grounding"]
    if result.value is None:
        return result.why
    t = check.bind(path.preset)
    high, medium = float(t.high), float(t.medium)
    tier, value = check.tier_of(result.value, t), beside(result.value, high, medium)
    return f"Score {value}, the {tier} tier: medium begins at {medium:.2f}, high at {high:.2f}."


def _recheck(path: _Path, _: str, __: int) -> str:
    recheck = path.trace.round("rechecked", path.round().name)
    if recheck is None:
        return "It needs a second check with more passages."
    outcome = "better" if path.verdict.round is recheck else "no better"
    return f"Checked again with {count_of(len(recheck.case.evidence), 'passage')}: {outcome}."


_SENTENCES: dict[str, Callable[[_Path, str, int], str]] = {
    "kind": _kind, "part": _part, "retrieve": _retrieve, "critic": _critic, "refine": _refine, "write": _write,
    "stage 1": _stage_1, "answer checks": _answer, "correct": _correct, "stage 2": _stage_2, "recheck": _recheck,
    "clear": lambda path, *_: reason(path.verdict.checks["clarity"]),
    "query checks": lambda path, *_: _tally(path.checks("query")),
    "split": lambda path, *_: (
        f"The question has {count_of(len(path.trace.parts), 'part')}; each takes the path on its own."
    ),
}  # fmt: skip
"""For each step the function that describes it, given the path, the step and the number of its earlier occurrences."""


def _tally(results: Results, again: str = "") -> str:
    """A sentence on a group of checks: how many passed, and the numbers of all failed checks that block. again: how it
    begins."""
    counts = f"{again}{tally(results.values())}."
    stopping, _ = failing(results.values())
    stopped = f" Stopped by {'; '.join(map(numbers_text, stopping))}." if stopping else ""
    return f"{counts[0].upper()}{counts[1:]}{stopped}"
