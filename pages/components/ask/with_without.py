"""With and without the guardrail: what the writer said, beside what the chain let through."""

import streamlit as st

from core.chain import Verdict
from core.chain.judged_sentences import MOST, Contrast, contrasts
from core.thresholds import Preset
from pages.components.ask.verdict_box import headline, reason
from pages.components.shared.plain_text import counted, plain
from pages.components.shared.session import write_now

TITLE = "With and without the guardrail"
MARKS = {
    "said": ":green[:material/check_circle: The passages say this.]",
    "open": ":gray[:material/radio_button_unchecked: The passages leave this open, and no limit stops it.]",
    "fails": ":red[:material/cancel: {}]",
}
"""Icon, word and colour together for each state of a sentence."""
AWAITED = "The question was refused before anybody had to answer it, so this writer was not asked."
NOTHING = "The writer said nothing."


def with_without(verdict: Verdict, preset: Preset) -> None:
    """Both side by side, below the verdict; nothing for a turn to which nothing was, or could be, written."""
    awaited, found = _awaited(verdict), contrasts(verdict, preset)
    if not found and not awaited:
        return
    with st.expander(TITLE, icon=":material/compare:", key="with and without"):
        if found:
            st.markdown(f"**{plain(summary(verdict, found))}**")
        without, guarded = st.columns(2, gap="small")
        with without, st.container(border=True, key="without"):
            _without(verdict, found, awaited)
        with guarded, st.container(border=True, key="with"):
            st.markdown(guarded_text(verdict))


def summary(verdict: Verdict, found: tuple[Contrast, ...]) -> str:
    """What the picture shows, in one sentence."""
    failing = sum(c.state == "fails" for c in found)
    said = counted(len(found), "sentence")
    wrong = f"{failing} of them with something against it" if failing else "with nothing against any of them"
    goes = {"deliver": "the same", "deliver_part": "only what holds", "deliver_corrected": "the book's own words"}
    return f"Without the guardrail {said} would go out, {wrong}; with it {goes.get(verdict.route, 'no answer')}."


def _without(verdict: Verdict, found: tuple[Contrast, ...], awaited: bool) -> None:
    st.markdown(f"**Without: what the writer said** :gray[({plain(writer(verdict))})]")
    if awaited and not found:
        st.markdown(AWAITED)
        st.button("Let it answer all the same", icon=":material/edit:", on_click=write_now)
        return
    st.markdown("\n".join(line(c) for c in found) or NOTHING)
    if len(found) >= MOST:
        st.caption(f"The first {MOST} sentences are shown.")


def line(contrast: Contrast) -> str:
    """A sentence with its mark, and what the passages say instead where they say otherwise; as a Markdown item."""
    mark = MARKS[contrast.state].format(plain(contrast.why))
    instead = f"  \n  Passage {contrast.passage} says: “{plain(contrast.instead)}”" if contrast.instead else ""
    return f"- “{plain(contrast.text)}”  \n  {mark}{instead}"


def guarded_text(verdict: Verdict) -> str:
    """What the chain let through, or the refusal with its reason."""
    head = f"**With: what goes out** {headline(verdict)}"
    if verdict.answered:
        return f"{head}\n\n“{plain(verdict.answer)}”"
    return f"{head}\n\n{plain(verdict.answer)}\n\n{reason(verdict)}"


def writer(verdict: Verdict) -> str:
    """Who wrote, as the trace remembers it."""
    drafts = [part.round.case.draft for part in verdict.parts] or [verdict.round.case.draft]
    return " and ".join(dict.fromkeys(d.writer for d in drafts if d))


def _awaited(verdict: Verdict) -> bool:
    return any(v.round.case.awaits_draft for v in verdict.parts or (verdict,))
