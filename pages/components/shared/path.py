"""The decision path: what can happen to a question (path.json), and what happened to one, in words and as a drawing."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import streamlit as st

from core.case import Round, Trace
from core.check import Check
from core.decide import SEARCHES, CheckResult, Verdict, confidence_of
from core.decide.check_results import Results, judge_answer
from core.decide.evidence import limits
from core.decide.routes import FACT_GROUNDING, INTEREST
from core.presentation.check_tiles import failing, numbers_text, reason, tally, tile
from core.reply.display_rounding import beside, decision_text, whole
from core.text.questions import plan_of
from core.thresholds import Preset
from core.words import ROUTES
from pages.components.shared.safe_display import count_text, plain

_MAP = json.loads(Path(__file__).with_suffix(".json").read_bytes())
BOXES: dict[str, dict[str, str]] = {box["name"]: box for box in _MAP["boxes"]}
"""The boxes by name, in the order of the chain: the words in the box, what happens there, and whether a path ends."""
LINES: dict[tuple[str, str], str] = {(start, end): word for start, end, word in _MAP["lines"]}
"""The lines between the boxes: (start, end) -> the words on the line."""
_LOOKS = {"refuse": "bad", "clarify": "back", "escalate": "back"}
"""The look of the box in which a path ends, by route; any other route looks good."""
KINDS = {"small talk": "small talk", "about last turn": "my last words", "tool result": "tool result"}
_WORSE = {"at least": "<", "at most": ">"}
_GOOD = {"at least": "≥", "at most": "≤"}


@dataclass(frozen=True, kw_only=True)
class PathStep:
    """One step of the path of a question.

    box: the name of its box, or of the route for the last step. label: its result in a few words. sentence: the result
    as a sentence.
    """

    box: str
    label: str
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
    """The path in Graphviz's language: a box for each step, and its result on the line to the next one.

    The labels are words of this program and numbers, never text of a book or a user. style.css sets the colours.
    """
    last = len(steps) - 1
    nodes = [
        _node(str(n), step.text, _LOOKS.get(step.box, "good") if n == last else "taken") for n, step in enumerate(steps)
    ]
    lines = [_line(str(n), str(n + 1), step.label) for n, (step, _) in enumerate(pairwise(steps))]
    return _dot(nodes, lines)


def map_dot() -> str:
    """All boxes and lines in Graphviz's language."""
    nodes = [_node(name, box["text"], "end" if box.get("end") else "taken") for name, box in BOXES.items()]
    return _dot(nodes, [_line(start, end, word) for (start, end), word in LINES.items()])


def _dot(nodes: Sequence[str], lines: Sequence[str]) -> str:
    look = 'node [shape=box style="rounded" height=0.3 fontsize=11] edge [fontsize=10 arrowsize=0.6]'
    return f"digraph {{ bgcolor=transparent ranksep=0.28 {look} {' '.join([*nodes, *lines])} }}"


def _node(name: str, text: str, look: str) -> str:
    return f"{_quoted(name)} [label={_quoted(text)} class={look}]"


def _line(start: str, end: str, word: str) -> str:
    return f"{_quoted(start)} -> {_quoted(end)} [label={_quoted(f' {word}')}]"


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


@dataclass(kw_only=True)
class _Path:
    """What the functions that describe a step read. times: for each step, how often it has occurred before."""

    trace: Trace
    verdict: Verdict
    preset: Preset
    times: dict[str, int] = field(default_factory=dict)

    def round(self) -> Round:
        """The round that was judged first; a recheck and a correction start from it."""
        judged_round = self.verdict.round
        return self.trace.round(judged_round.of) if judged_round.name == "rechecked" else judged_round

    def answer_checks(self) -> Results:
        """The results of the answer checks in the round that was judged first."""
        if self.verdict.round.name == "rechecked":
            return judge_answer(self.round(), self.preset)
        return {n: r for n, r in self.verdict.checks.items() if r.stage == "answer"}

    def second_checks(self) -> Results:
        """The results of the answer checks for the correction or the rechecked answer."""
        if "correct" not in self.verdict.steps:
            return {n: r for n, r in self.verdict.checks.items() if r.stage == "answer"}
        if self.verdict.route == "deliver_corrected":
            return self.verdict.delivery.checks
        return judge_answer(self.trace.round("corrected", self.verdict.round.name), self.preset)


def path_steps(trace: Trace, verdict: Verdict, preset: Preset) -> tuple[PathStep, ...]:
    """A PathStep for each of `verdict.steps`, in order; the last one is the end."""
    path = _Path(trace=trace, verdict=verdict, preset=preset)
    return tuple(_path_step(path, step) for step in verdict.steps)


def _path_step(path: _Path, step: str) -> PathStep:
    if step in ROUTES:
        return PathStep(box=step, label="", sentence=f"{ROUTES[step].title}.")
    name = next((name for name in ("kind", "refine", "part") if step.startswith(name)), step)
    time = path.times[name] = path.times.get(name, -1) + 1
    box, describe = _STEPS[name]
    label, sentence = describe(path, step, time)
    return PathStep(box=box, label=label, sentence=sentence)


def _kind(path: _Path, step: str, __: int) -> tuple[str, str]:
    kind = step.removeprefix("kind: ")
    if kind == "question":
        return "a question", f"It is a question to the library. {_plan(path.trace)}"
    noun = "about my last words" if kind == "about last turn" else f"a {kind}" if "tool" in kind else kind
    return KINDS.get(kind, kind), f"It is {noun}: it asks nothing of the library."


def _plan(trace: Trace) -> str:
    """A sentence: what the question asks, and what a full answer needs. For a question in parts it only says that each
    part needs an answer."""
    if trace.parts:
        return "It asks several things: a full answer needs each of them."
    return plan_of(trace.question.standalone).in_words


def _clear(path: _Path, *_: object) -> tuple[str, str]:
    result = path.verdict.checks["clarity"]
    return short(result), reason(result)


def _parts_step(path: _Path, *_: object) -> tuple[str, str]:
    parts = count_text(len(path.trace.parts), "part")
    return parts, f"The question has {parts}; each takes the path on its own."


def _part(path: _Path, step: str, time: int) -> tuple[str, str]:
    query = path.trace.parts[time].question.query
    return "", f"Part {time + 1}, “{query}”: {ROUTES[step.partition(': ')[2]].words}. {plan_of(query).in_words}"


def _retrieve(path: _Path, *_: object) -> tuple[str, str]:
    if confidence_of(path.trace.rounds[0]) is None:
        return "it broke", "The search broke."
    passages = count_text(len(path.trace.rounds[0].case.evidence), "passage")
    return passages, f"The search found {passages}."


def _critic(path: _Path, _: str, time: int) -> tuple[str, str]:
    if (confidence := confidence_of(path.trace.round(SEARCHES[time]))) is None:
        return "it broke", "There is no evidence, because the search broke."
    ends = limits(path.preset)
    limit = ends[0] if path.trace.question.scope.named else ends[1]
    value, sign = str(whole(confidence)), "≥" if confidence / 100 >= limit / 100 - 1e-9 else "<"
    sentence = f"Evidence confidence {value} of 100, needs at least {limit:g}."
    if sign == "<" and path.trace.round(SEARCHES[time]).case.exhausted:
        sentence += " No other wording is left to search with."
    best = value if path.verdict.confidence is None else str(whole(path.verdict.confidence))
    return f"{value} {sign} {limit:g}", sentence + (f" The best search has {best}." if best != value else "")


def _refine(path: _Path, _: str, time: int) -> tuple[str, str]:
    search = path.trace.round(SEARCHES[time + 1]).case
    words = f"as “{search.query}”" if search.query != search.question.standalone else "in the same words"
    return "", f"Asked again {words}{f', and for “{search.fetch}”' if search.fetch else ''}."


def _query(path: _Path, *_: object) -> tuple[str, str]:
    return _checks_text({n: r for n, r in path.verdict.checks.items() if r.stage == "query"})


def _write(path: _Path, *_: object) -> tuple[str, str]:
    draft = path.round().case.draft
    count = count_text(len(draft.sentences) if draft else 0, "sentence")
    return count, f"The answer has {count}{', as it was pasted' if draft and draft.given else ''}."


def _stage_1(path: _Path, *_: object) -> tuple[str, str]:
    result = path.verdict.checks[INTEREST]
    if result.state == "failed":
        return ("blocks" if result.blocks else "monitor only"), result.why + (
            "" if result.blocks else " Monitor only: it stops nothing."
        )
    if (path.verdict.stage, path.verdict.route) == ("stage 1", "deliver"):
        return "claims nothing", "It is in scope, and states nothing that needs a check."
    return "in scope", f"It is in scope. {result.why}"


def _answer(path: _Path, _: str, time: int) -> tuple[str, str]:
    return _checks_text(path.second_checks(), "Again, ") if time else _checks_text(path.answer_checks())


def _correct(path: _Path, *_: object) -> tuple[str, str]:
    correction = path.trace.round("corrected", path.verdict.round.name)
    if correction is None or not correction.case.sentences:
        return "not possible", "The book has no sentences from which the answer could be rewritten."
    return "", "The answer was rewritten from the book."


def _stage_2(path: _Path, _: str, time: int) -> tuple[str, str]:
    results = path.verdict.checks if time else path.answer_checks()
    result, check = results[FACT_GROUNDING], Check.registry[FACT_GROUNDING]
    if result.value is None:
        return "not measured", result.why
    t = check.bind(path.preset)
    high, medium = float(t.high), float(t.medium)
    tier, value = check.tier_of(result.value, t), beside(result.value, high, medium)
    label = {"high": f"{value} ≥ {high:.2f}", "medium": f"{value} < {high:.2f}", "low": f"{value} < {medium:.2f}"}[tier]
    return f"{label}, {tier}", f"Score {value}, the {tier} tier: medium begins at {medium:.2f}, high at {high:.2f}."


def _recheck(path: _Path, *_: object) -> tuple[str, str]:
    recheck = path.trace.round("rechecked", path.round().name)
    if recheck is None:
        return "", "It needs a second check with more passages."
    label = "better" if path.verdict.round is recheck else "no better"
    return label, f"Checked again with {count_text(len(recheck.case.evidence), 'passage')}: {label}."


_Describe = Callable[[_Path, str, int], tuple[str, str]]
"""Returns label and sentence of a step, given the path, the step and the number of its earlier occurrences."""
_STEPS: dict[str, tuple[str, _Describe]] = {
    "kind": ("kind", _kind), "clear": ("clear", _clear), "split": ("parts", _parts_step), "part": ("split", _part),
    "retrieve": ("retrieve", _retrieve), "critic": ("critic", _critic), "refine": ("refine", _refine),
    "query checks": ("query", _query), "write": ("write", _write), "stage 1": ("stage 1", _stage_1),
    "answer checks": ("answer", _answer), "correct": ("correct", _correct), "stage 2": ("stage 2", _stage_2),
    "recheck": ("recheck", _recheck),
}  # fmt: skip
"""For each step its box on the map and the function that describes its result."""


def _checks_text(results: Results, again: str = "") -> tuple[str, str]:
    """(label, sentence) on a group of checks: how many passed, and the numbers of all failed checks that block.

    again: how the sentence begins.
    """
    stopping, monitors = failing(results.values())
    counts = f"{again}{tally(results.values())}."
    counts = f"{counts[0].upper()}{counts[1:]}"
    if not stopping:
        return (f"{len(monitors)} failed without blocking" if monitors else "all pass"), counts
    return short(stopping[0]), f"{counts} Stopped by {'; '.join(map(numbers_text, stopping))}."


def short(result: CheckResult) -> str:
    """The value of a check beside its limit, such as "0.40 < 0.60", or the number of its faults; for a check without a
    value, its state in words."""
    if result.margin is None:
        return "broke" if result.cause == "error" else "not asked"
    if not result.by:
        return tile(result).value
    figures = decision_text(result, Check.registry[result.name])
    signs = _GOOD if result.state == "passed" else _WORSE
    return f"{figures.value} {signs[figures.relation]} {figures.limit}"
