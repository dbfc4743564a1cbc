"""The verdict in one glance: the word, what the user gets, why, and the two figures that say how good it is."""

import streamlit as st

from core.case import Trace
from core.chain import REASONS, CheckResult, Verdict
from core.check import Check
from core.draft import with_marks
from core.thresholds import Preset
from pages.components.digits import beside, compared
from pages.components.plain import plain, shortened
from pages.components.question import ask_instead
from pages.components.session import open_passage

LONG = 1200
"""A longer answer scrolls in its own box."""


def verdict_box(trace: Trace, verdict: Verdict, preset: Preset) -> None:
    with st.container(border=True, key="verdict"):
        st.header(headline(verdict), anchor=False)
        if verdict.answered:
            _text(verdict.answer)
        else:
            st.markdown(f"**{plain(verdict.answer)}**  \n{plain(verdict.explanation)}")
        st.markdown(figures(verdict, preset))
        if verdict.answered:
            _citations(verdict)
        else:
            _refusal(trace, verdict)


def headline(verdict: Verdict) -> str:
    """Icon, word and colour together: none of them has to be seen for the others to be read."""
    if verdict.answered:
        return ":green[:material/check_circle: ANSWERED]"
    return ":red[:material/cancel: REFUSED]"


def figures(verdict: Verdict, preset: Preset) -> str:
    """Evidence confidence and supported sentences, each under its own name."""
    confidence = confidence_drawn(verdict, preset)
    count = len(verdict.sentences)
    if verdict.round.case.draft is None or not count:
        supported = "no sentence to support"
    elif verdict.sentences[0].label is None:
        supported = "support was not measured"
    else:
        supported = f"supported **{verdict.supported} of {count}** {'sentence' if count == 1 else 'sentences'}"
    return f"evidence **{confidence}/100** :gray[(how good the passages are)] · {supported}"


def confidence_drawn(verdict: Verdict, preset: Preset) -> str:
    """The evidence confidence in as many digits as it takes not to contradict its band."""
    return beside(verdict.confidence, *limits(preset), least=0)


def limits(preset: Preset) -> tuple[float, float]:
    """The two limits of the evidence confidence: with documents named, and for a free search."""
    t = Check.registry["confidence"].bind(preset)
    return float(t.min_confidence_named), float(t.min_confidence)


def _text(text: str) -> None:
    if len(text) <= LONG:
        st.markdown(f"“{plain(text)}”")
    else:
        with st.container(height=260):
            st.markdown(plain(text))


def _citations(verdict: Verdict) -> None:
    evidence = verdict.round.case.evidence
    cited = sorted({c for s in verdict.sentences for c in s.citations if 1 <= c <= len(evidence)})
    with st.container(horizontal=True, gap="small"):
        for number in cited:
            _citation(number, verdict)
        if any(s.attributed for s in verdict.sentences):
            st.caption("The answer had no marks: these sources were found by us.")


def _citation(number: int, verdict: Verdict) -> None:
    passage = verdict.round.case.evidence[number - 1].passage
    st.button(
        plain(f"[{number}] {shortened(passage.document, 40)}, page {passage.page}"), key=f"cite {number}",
        icon=":material/menu_book:", on_click=open_passage, args=(number - 1,), help="Read the passage",
    )  # fmt: skip


def _refusal(trace: Trace, verdict: Verdict) -> None:
    others = [REASONS[r] for r in verdict.reasons[1:]]
    if others:
        st.markdown("Also: " + " ".join(map(plain, others)))
    if near := nearest(verdict):
        st.markdown(f"**Closest to passing:** {near}")
    if trace.suggestions:
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.markdown("These books can answer:", width="content")
            for n, question in enumerate(trace.suggestions):
                st.button(plain(question), key=f"suggestion {n}", on_click=ask_instead, args=(question,))
    _held_back(verdict)


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
        _citations(verdict)
