"""The box "Break it": change one thing in the answer, judge it on the same passages, compare the verdicts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from core.case import Passage, Question, Trace
from core.check import Check
from core.decide import CheckResult, Verdict, next_step, verdict
from core.evaluation.perturb import PerturbationKind, PerturbedAnswer, perturb
from core.platform.quotas import QuotaError
from core.thresholds import Preset
from core.words import joined
from pages.components.ask.conversation import open_to_break
from pages.components.ask.verdict_words import headline, reason
from pages.components.shared.progress import waiting
from pages.components.shared.question_state import sensitivity_of
from pages.components.shared.safe_display import plain, show
from pages.components.shared.session import ASK, VISIT
from pages.components.shared.session_types import Breaking

if TYPE_CHECKING:
    from core.graph import Explorer

LABELS: dict[PerturbationKind, str] = {
    "number": "Change a number", "negation": "Negate a sentence", "name": "Swap a name",
}  # fmt: skip
CHANGE_TEXTS: dict[PerturbationKind, str] = {
    "number": "Number changed", "negation": "Sentence negated", "name": "Name swapped",
}  # fmt: skip
ORIGIN = "broken here on purpose"
"""Where the broken answer comes from: it is judged like a pasted one, but no user pasted it."""
PURPOSE = "Introduce an error into the answer, and see whether the checks notice."
PUT_RIGHT = "Noticed: the changed sentence was put right."
NOT_HERE = {
    "deliver_corrected": "This answer was corrected. Only an answer that goes out unchanged can be broken.",
    "deliver_part": "This answer was shortened. Only an answer that goes out unchanged can be broken.",
    "deliver": "This answer has no number, name or sentence that can be turned into an error.",
}  # fmt: skip
"""Why an answer that goes out cannot be broken, by route."""
NO_ANSWER = "The question was not answered, so there is no answer to break."
NONE_CAUGHT = "No check caught the error: the broken answer would go out."
_TRIES = 8
"""Random seeds that are tried to find another perturbation."""


def break_box(trace: Trace, first: Verdict, preset: Preset) -> None:
    """Draw the buttons that perturb the answer; after one was pressed, also the broken answer beside what goes out
    instead of it, and which checks noticed.

    If the answer is not delivered as written and none was perturbed, draw why, and a button to one that is. first:
    the verdict on the original answer.
    """
    draft, current = first.round.case.draft, broken_answer(trace, first)
    if not (first.route == "deliver" or current) or draft is None:
        st.markdown(PURPOSE)
        offer_another(first)
        return
    st.caption(f"{PURPOSE} Press a button again for another change." if current else PURPOSE)
    break_buttons(trace.question, draft.text, first.round.case.passages, current)
    if not current:
        return
    broken, second = current.broken, verdict(current.trace, preset)
    st.markdown(f"**{CHANGE_TEXTS[broken.way]}:** {change(broken)}")
    st.markdown(result_text(first, second))
    before, after = st.columns(2, gap="small")
    with before, st.container(border=True, key="side broken"):
        st.markdown(f"**Broken answer**  \n{highlighted(broken.answer, broken.place, broken.after)}")
    with after, st.container(border=True, key="side out"):
        st.markdown(f"**What goes out** {headline(second)}  \n{plain(second.answer)}")
        if not second.answered:
            st.caption(reason(second))


def offer_another(original: Verdict) -> None:
    """Draw why the answer that `original` judges cannot be broken, and a button to an answer that can."""
    st.markdown(NOT_HERE.get(original.route, NO_ANSWER))
    st.button(
        "Open a correct answer", key="break another", icon=":material/build:", on_click=open_to_break,
        help="Opens an example with a correct answer, and lets you choose the change.",
    )  # fmt: skip


def broken_answer(trace: Trace, original: Verdict) -> Breaking | None:
    """The perturbation of the answer that `original` judges, measured or not; None if there is none."""
    current, draft = ASK.breaking.value, original.round.case.draft
    is_of_it = current and draft and (current.question, current.text) == (trace.question, draft.text)
    return current if is_of_it else None


def break_buttons(
    question: Question, text: str, passages: tuple[Passage, ...], current: Breaking | None, place: str = "break"
) -> None:  # fmt: skip
    """Draw a button for each way to perturb the answer `text` to `question`, and why one cannot be used.

    place: the start of their keys.
    """
    reasons = []
    with st.container(horizontal=True, gap="small"):
        for kind, label in LABELS.items():
            perturbed = another(kind, text, passages, current.broken if current else None)
            reasons += [] if perturbed.has_changed else [perturbed.why]
            st.button(
                label, key=f"{place} {kind}", icon=":material/edit:", disabled=not perturbed.has_changed,
                help=plain(perturbed.why) or None, on_click=ASK.breaking.set,
                args=(Breaking(question=question, text=text, broken=perturbed),),
            )  # fmt: skip
    if reasons:
        st.caption(plain(" ".join(reasons)))


def another(
    kind: PerturbationKind, text: str, passages: tuple[Passage, ...], current: PerturbedAnswer | None
) -> PerturbedAnswer:
    """A perturbation of this kind that differs from `current`, the one on screen, if one of _TRIES random seeds gives
    one."""
    options = list(dict.fromkeys(perturb(kind, text, passages, seed) for seed in range(_TRIES)))
    return options[(options.index(current) + 1) % len(options)] if current in options else options[0]


def measure_broken(trace: Trace, preset: Preset, explorer: "Explorer") -> None:
    """Measure the perturbed answer to this question as far as `preset` needs it. Do nothing if there is none, or if
    that much is measured with the settings of the question on screen."""
    current = broken_answer(trace, sensitivity_of(trace).verdict(preset))
    if current is None:
        return
    using = ASK.current.value.measured_with
    measured = current.trace if current.measured_with == using else None
    if measured is not None and next_step(measured, preset).action != "measure":
        return
    try:
        if measured is None:
            VISIT.usage.value.take(questions=1)
    except QuotaError as error:
        ASK.breaking.clear()
        show(error)
        return
    with waiting("Comparing the broken answer with the same passages …", "breaking", ASK.breaking.clear):
        measured = explorer.complete(measured or explorer.replace_answer(trace, current.broken.answer), preset)
    ASK.breaking.value = replace(current, trace=measured, measured_with=using)


def change(perturbed: PerturbedAnswer) -> str:
    """The old words and the new ones as Markdown: "4 became 5"; only one of them if the other is empty."""
    before, after = (f"**{plain(words)}**" if words.strip() else "" for words in (perturbed.before, perturbed.after))
    return f"{before} became {after}" if before and after else before or after


def highlighted(text: str, place: int, words: str) -> str:
    """`text` as Markdown, with `words`, which begin at `place`, highlighted."""
    start, end = text[:place], text[place + len(words) :]
    if not words.strip():
        return plain(text)
    gaps = [" " if any(c.isspace() for c in pair) else "" for pair in (start[-1:] + words[:1], words[-1:] + end[:1])]
    return f"{plain(start)}{gaps[0]}:blue-background[**{plain(words)}**]{gaps[1]}{plain(end)}"


def result_text(original: Verdict, second: Verdict) -> str:
    """A sentence as Markdown: which checks noticed the change, or that none did."""

    def names(results: Sequence[CheckResult]) -> str:
        checks = [(r.name, Check.registry[r.name].short) for r in results]
        return joined(
            [plain(s) if s.lower() == name else f"{plain(s)} :gray[({plain(name)})]" for name, s in checks], "and"
        )

    new = [r for name, r in second.checks.items() if r.state == "failed" and original.checks[name].state != "failed"]
    blocking, watching = ([r for r in new if r.blocks == blocks] for blocks in (True, False))
    monitor = "monitors" if len(watching) == 1 else "monitor"
    note = f" {names(watching)} also noticed the error, but only {monitor}." if watching else ""
    if second.route == "deliver":
        return f":red[:material/visibility_off: **{NONE_CAUGHT}**]{note}"
    if blocking:
        count = "one check" if len(blocking) == 1 else f"{len(blocking)} checks"
        reasons = "".join(f"\n- {names([r])}: {plain(r.why)}" for r in blocking)
        right = f" {PUT_RIGHT}" if second.route == "deliver_corrected" else ""
        return f":green[:material/check_circle: **Caught by {count}**]{right}{note}\n{reasons}"
    is_stopped_anyway = original.route != "deliver"
    cause = "with or without the change" if is_stopped_anyway else "by a technical fault"
    uncaught = "**No check caught the change itself:** the answer is stopped"
    return f":gray[:material/radio_button_unchecked: {uncaught} {cause}.]{note}"
