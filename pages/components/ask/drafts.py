"""The drafts of one language model side by side: what only one of them says is marked."""

from difflib import SequenceMatcher

import streamlit as st

from core.chain import Verdict
from core.checks.consensus import AGREED
from core.text.answer_sentences import with_marks
from pages.components.ask.answer_comparison import WORDS
from pages.components.shared.safe_display import plain

ALONE = ":red[:material/cancel: not every draft says this]"
SAID = ":green[:material/check_circle: the other drafts say this]"


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
            st.markdown(f"**Draft {n}**\n\n{marked(text, with_marks(draft.sentences))}")


def mark(agreement: float) -> str:
    """Icon, word and colour of a sentence of the answer."""
    return SAID if agreement >= AGREED else ALONE


def marked(first: str, other: str) -> str:
    """`other` as Markdown, the words in which it differs from `first` on a ground of their own."""
    old, new = WORDS.findall(first), WORDS.findall(other)
    found = SequenceMatcher(None, [w.strip() for w in old], [w.strip() for w in new], autojunk=False).get_opcodes()
    parts = ((tag, plain("".join(new[c:d]))) for tag, _, _, c, d in found)
    return " ".join(text if tag == "equal" else f":blue-background[**{text}**]" for tag, text in parts if text)
