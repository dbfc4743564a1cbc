"""What the writer said beside what goes out, sentence by sentence and without the guardrail; and draft beside draft."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import streamlit as st

from core.chain import Verdict
from core.chain.contrasts import MOST, Contrast, contrasts
from core.chain.delivery import Change
from core.chain.display_rounding import number
from core.checks.consensus import AGREED
from core.text.answer_sentences import with_marks
from core.thresholds import Preset
from pages.components.ask.verdict_box import headline, reason
from pages.components.shared.question_state import write_now
from pages.components.shared.safe_display import counted, plain

MARKS = {
    "said": ":green[:material/check_circle: The passages say this.]",
    "open": ":gray[:material/radio_button_unchecked: The passages leave this open, and no limit stops it.]",
    "fails": ":red[:material/cancel: {}]",
}
"""Icon, word and colour together for each state of a sentence."""
ALONE = ":red[:material/cancel: not every draft says this]"
SAID = ":green[:material/check_circle: the other drafts say this]"
AWAITED = "The question was refused before anybody had to answer it, so this writer was not asked."
NOTHING = "The writer said nothing."
NOBODY = "Nothing was written, so there is nothing to compare."


def with_without(verdict: Verdict, preset: Preset) -> None:
    """Both side by side; a sentence for a turn to which nothing was, or could be, written."""
    awaited, found = _awaited(verdict), contrasts(verdict, preset)
    if not found and not awaited:
        st.caption(NOBODY)
        return
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
    said, several = counted(len(found), "sentence"), len(found) > 1
    against = f"{f'{failing} of them ' if several else ''}with something against it"
    wrong = against if failing else f"with nothing against {'any of them' if several else 'it'}"
    goes = {
        "deliver": "the same",
        "deliver_part": "only what holds",
        "deliver_corrected": "the answer, said again from the passages",
    }
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


DONE = {
    "kept": ":green[:material/check_circle: kept]",
    "changed": ":blue[:material/edit: said again from the passages]",
    "left_out": ":red[:material/cancel: left out]",
}
"""Each of them in a colour, a shape and a word."""
WORDS = re.compile(r"\S+\s*")


def changes(verdict: Verdict) -> None:
    """Sentence by sentence; nothing where the answer goes out as it is, or not at all."""
    if verdict.route not in ("deliver_part", "deliver_corrected"):
        return
    st.markdown(f"**What was changed{title(verdict.changes)}**")
    for n, change in enumerate(verdict.changes, 1):
        with st.container(border=True, key=f"change {n}"):
            st.markdown(change_text(f"Sentence {n}" if len(verdict.changes) > 1 else "The answer", change))


def title(made: Sequence[Change]) -> str:
    """How many of several sentences were kept, changed and left out; nothing of one."""
    count = {done: sum(c.done == done for c in made) for done in DONE}
    said = {"kept": "kept", "changed": "said again from the passages", "left_out": "left out"}
    told = ", ".join(f"{count[done]} {words}" for done, words in said.items() if count[done])
    return f". Of {counted(len(made), 'sentence')}: {told}" if len(made) > 1 else ""


def change_text(of_what: str, change: Change) -> str:
    """A sentence or the answer as Markdown: what was done, words that went and came, why, how sure the passages are."""
    sure = "not read against the passages" if change.confidence is None else f"**{number(change.confidence)}**"
    of = "it" if change.done == "left_out" else "what goes out"
    head = f"**{of_what}** {DONE[change.done]} :gray[· the passages say {of}:] {sure}"
    return "  \n".join(part for part in (head, compared(change), plain(change.why)) if part)


def compared(change: Change) -> str:
    """The sentence with the words that went struck out and the words that came marked."""
    if change.done == "kept":
        return plain(change.after)
    if change.done == "left_out":
        return struck(change.before)
    return differences(change.before, change.after, went=True)


def differences(old: str, new: str, *, went: bool) -> str:
    """`new` as Markdown, words that `old` lacks on a ground of their own. went: with those that went, struck out."""
    before, after = WORDS.findall(old), WORDS.findall(new)
    found = SequenceMatcher(None, [w.strip() for w in before], [w.strip() for w in after], autojunk=False)
    drawn = []
    for tag, a, b, c, d in found.get_opcodes():
        came = plain("".join(after[c:d]))
        if tag != "equal":
            drawn.append(struck("".join(before[a:b])) if went else "")
        drawn.append(f":blue-background[**{came}**]" if came and tag != "equal" else came)
    return " ".join(filter(None, drawn))


def struck(words: str) -> str:
    """Words with a line through them."""
    went = plain(words)
    return f"~~{went}~~" if went else ""


def drafts(verdict: Verdict) -> None:
    """The answer with what the others say of its sentences, then the others with the words that it has not.

    Nothing where only one draft was written.
    """
    case, signals = verdict.round.case, verdict.round.signals.get("consensus")
    if not case.drafts or signals is None:
        return
    st.markdown(f"**{1 + len(case.drafts)} drafts of the same model. {plain(verdict.checks['consensus'].why)}**")
    first, *others = st.columns(1 + len(case.drafts), gap="small")
    with first, st.container(border=True):
        said = zip(case.sentences, signals["agreement"], strict=True)
        st.markdown("**The answer**\n" + "\n".join(f"- {plain(s.text)}  \n  {mark(a)}" for s, a in said))
    text = " ".join(s.text for s in case.sentences)
    for n, (column, draft) in enumerate(zip(others, case.drafts, strict=True), 2):
        with column, st.container(border=True):
            st.markdown(f"**Draft {n}**\n\n{differences(text, with_marks(draft.sentences), went=False)}")


def mark(agreement: float) -> str:
    """Icon, word and colour of a sentence of the answer."""
    return SAID if agreement >= AGREED else ALONE
