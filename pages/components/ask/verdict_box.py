"""The verdict in one glance: the word, what the user gets, why and two figures; part by part where there are parts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from core.case import Sentence, Trace
from core.chain import REASONS, CheckResult, Verdict
from core.chain.facts import limits
from core.chain.judged_sentences import JudgedSentence, cited_page
from core.chain.number_format import beside, compared
from core.chain.verdicts import counted_sentences
from core.check import Check
from core.text.answer_sentences import with_marks
from core.thresholds import Preset
from pages.components.ask.question_form import ask_instead
from pages.components.shared.asked_question import open_passage
from pages.components.shared.safe_display import counted, plain, shortened
from pages.components.shared.session import PART_FIELD

LONG = 1200
"""A longer answer scrolls in its own box."""
HEADLINES = {
    "deliver": ":green[:material/check_circle: ANSWERED]",
    "deliver_part": ":green[:material/rule: ANSWERED IN PART]",
    "deliver_corrected": ":green[:material/spellcheck: ANSWERED, CORRECTED]",
    "clarify": ":blue[:material/help: ASKED BACK]",
    "refuse": ":red[:material/cancel: REFUSED]",
    "escalate": ":blue[:material/support_agent: HANDED OVER]",
}
"""Icon, word and colour of each route together: none of them has to be seen for the others to be read."""
MEDIUM = "Of the medium tier: the passages bear it out, but not as well as they could. It was looked at again."
HANDED_OVER = "A person should look at it; nothing else goes out."
_MODEL = "ModelError: "
_NUMBERED = re.compile(r"^\d+(?:\.\d+)*\s+")


def verdict_box(trace: Trace, verdict: Verdict, preset: Preset) -> None:
    with st.container(border=True, key="verdict"):
        st.header(headline(verdict), anchor=False)
        if verdict.answered:
            _answer(verdict)
        else:
            st.markdown(f"**{plain(verdict.answer)}**  \n{reason(verdict)}")
        st.markdown(figures(verdict, preset))
        if verdict.answered:
            citations(verdict)
        else:
            _refusal(trace, verdict)


def headline(verdict: Verdict) -> str:
    """The word of a verdict."""
    return HEADLINES[verdict.route]


def reason(verdict: Verdict) -> str:
    """The one main reason in plain words, what a model that broke says of it, and what an escalation means."""
    return plain(f"{verdict.explanation} {_cause(verdict)} {HANDED_OVER if verdict.route == 'escalate' else ''}")


def _cause(verdict: Verdict) -> str:
    """The sentence of a model that could not be used; "" for anything else that broke, which the cards tell."""
    broken = (r.why for r in verdict.checks.values() if r.blocks and r.cause == "error")
    return next((w.removeprefix(_MODEL) for w in broken if w.startswith(_MODEL)), "")


def figures(verdict: Verdict, preset: Preset) -> str:
    """Evidence confidence and supported sentences, of what goes out if anything does, each under its own name."""
    confidence = confidence_drawn(verdict, preset)
    sentences = counted_sentences(verdict, preset)
    count = len(sentences)
    if verdict.round.case.draft is None or not count:
        supported = "no sentence to support"
    elif sentences[0].label is None:
        supported = "support was not measured"
    else:
        said = sum(s.supported for s in sentences)
        supported = f"supported **{said} of {count}** {'sentence' if count == 1 else 'sentences'}"
    what = "of the part with the weakest passages" if verdict.parts else "how good the passages are"
    return f"evidence **{confidence}/100** :gray[({what})] · {supported}"


def confidence_drawn(verdict: Verdict, preset: Preset) -> str:
    """The evidence confidence in as many digits as it takes not to contradict its band."""
    return beside(verdict.confidence, *limits(preset), least=0)


def _answer(verdict: Verdict) -> None:
    """What goes out, and in a line of its own what is said of what does not."""
    _text(verdict.delivery.text)
    if note := verdict.answer.removeprefix(verdict.delivery.text).strip():
        st.markdown(f":material/info: {plain(note)}")
    if verdict.route == "deliver" and verdict.tier == "medium" and "recheck" in verdict.steps:
        st.caption(MEDIUM)


def _text(text: str) -> None:
    if len(text) <= LONG:
        st.markdown(f"“{plain(text)}”")
    else:
        with st.container(height=260):
            st.markdown(plain(text))


def citations(verdict: Verdict, part: int = 0) -> None:
    """A button for each passage that the answer cites. part: place of a part of the question, from 1."""
    if verdict.parts:
        return  # each part shows its own
    evidence = verdict.round.case.evidence
    cited = sorted({c for s in _going_out(verdict) for c in s.citations if 1 <= c <= len(evidence)})
    with st.container(horizontal=True, gap="small"):
        for number in cited:
            _citation(number, verdict, part)
        if verdict.route != "deliver_corrected" and any(s.attributed for s in verdict.sentences):
            st.caption("The answer had no marks: these sources were found by us.")


def _going_out(verdict: Verdict) -> Sequence[Sentence | JudgedSentence]:
    """The sentences whose sources are offered: those that go out, else those that were judged."""
    if verdict.route == "deliver_corrected":
        return verdict.delivery.sentences
    if verdict.route == "deliver_part":
        return [s for s, c in zip(verdict.sentences, verdict.changes, strict=True) if c.done == "kept"]
    return verdict.sentences


def _citation(number: int, verdict: Verdict, part: int) -> None:
    passage = verdict.round.case.evidence[number - 1].passage
    page = cited_page(verdict.round, number - 1, _going_out(verdict))
    st.button(
        plain(f"[{number}] {shortened(passage.document, 40)}, page {page}"), key=f"cite {part} {number}",
        icon=":material/menu_book:", on_click=open_passage, args=(number - 1, part), help="Read the passage",
    )  # fmt: skip


def _refusal(trace: Trace, verdict: Verdict) -> None:
    others = [REASONS[r] for r in verdict.reasons[1:]]
    if others and verdict.route != "clarify":
        st.markdown("Also: " + " ".join(map(plain, others)))
    if verdict.route == "clarify":
        _meanings(trace)
    elif near := nearest(verdict):
        st.markdown(f"**Closest to passing:** {near}")
    _offered("These books can answer:", "suggestion", {question: question for question in trace.suggestions})
    _held_back(verdict)


def _meanings(trace: Trace) -> None:
    """What the library could mean, one click each."""
    _offered("Do you mean:", "meaning", {meant(m): clarified(trace.question.query, m) for m in trace.meanings})


def _offered(lead: str, key: str, questions: dict[str, str]) -> None:
    """Questions to ask instead, each under the words on its button."""
    if not questions:
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(lead, width="content")
        for n, (words, question) in enumerate(questions.items()):
            st.button(plain(words), key=f"{key} {n}", on_click=ask_instead, args=(question,))


def meant(meaning: str) -> str:
    """What the library could mean, without the number of its section."""
    return _NUMBERED.sub("", meaning)


def clarified(query: str, meaning: str) -> str:
    """The question with what it means in brackets behind it."""
    return f"{query.rstrip('?!. ')} ({meant(meaning)})?"


def nearest(verdict: Verdict) -> str:
    """The blocking check that missed its limit by least, relative to the limit; "" when none has numbers."""
    missed = [r for r in verdict.checks.values() if r.blocks and r.margin is not None]
    if not missed:
        return ""
    result = min(missed, key=_share_missed)
    check = Check.registry[result.name]
    drawn = compared(result, check)
    numbers = f"{drawn.value}, {drawn.relation} {drawn.limit} is asked ({drawn.unit})"
    return f"{plain(check.plain)}: {plain(numbers)}, {plain(drawn.margin)}"


def _share_missed(result: CheckResult) -> float:
    return -result.margin / max(abs(result.limit), abs(result.value), 1e-9)


def _held_back(verdict: Verdict) -> None:
    draft = verdict.round.case.draft
    if draft is None or not draft.sentences:
        return
    with st.expander("The answer that was held back", icon=":material/visibility:"):
        _text(with_marks(draft.sentences))
        citations(verdict)


WIDTH = 370


@dataclass(frozen=True, kw_only=True)
class Shown:
    """What the sections below the verdict are about. part: of the question, from 1; 0 for all of it."""

    trace: Trace
    verdict: Verdict
    part: int = 0


def parts_box(trace: Trace, verdict: Verdict, preset: Preset) -> None:
    """Each part side by side; nothing for a question that asks one thing."""
    if not verdict.parts:
        return
    answered = sum(part.answered for part in verdict.parts)
    st.markdown(f"**{answered} of {counted(len(trace.parts), 'part')} of the question answered**")
    with st.container(horizontal=True, gap="small"):
        for n, part in enumerate(verdict.parts, 1):
            with st.container(border=True, width=WIDTH, key=f"part {n}"):
                _part(n, part, preset)


def _part(n: int, part: Verdict, preset: Preset) -> None:
    st.markdown(f"**Part {n}: {plain(part.round.case.question.query)}**  \n**{headline(part)}**")
    st.markdown(f"“{plain(part.delivery.text)}”" if part.delivery else plain(part.answer))
    if not part.answered:
        st.markdown(reason(part))
    st.caption(figures(part, preset))
    if part.answered:
        citations(part, n)


def shown(trace: Trace, verdict: Verdict) -> Shown:
    """What a person looks at closely: the whole question, or one of its parts, which they choose."""
    if not verdict.parts:
        return Shown(trace=trace, verdict=verdict)
    names = [f"Part {n}" for n in range(1, len(verdict.parts) + 1)]
    chosen = st.segmented_control("Look closely at", names, default=names[0], required=True, key=PART_FIELD)
    place = names.index(chosen) if chosen in names else 0
    measured = [part for part in trace.parts if part.rounds]
    return Shown(trace=measured[place], verdict=verdict.parts[place], part=place + 1)
