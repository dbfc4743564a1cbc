"""What became of each sentence of the judged answer: kept, said in the book's words, or left out, and why."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import streamlit as st

from core.chain import Verdict
from core.chain.delivery import Change
from pages.components.shared.number_format import number
from pages.components.shared.plain_text import counted, plain

DONE = {
    "kept": ":green[:material/check_circle: kept]",
    "changed": ":blue[:material/edit: said in the book's words]",
    "left_out": ":red[:material/cancel: left out]",
}
"""Each of them in a colour, a shape and a word."""
_WORDS = re.compile(r"\S+\s*")


def changes(verdict: Verdict) -> None:
    """Sentence by sentence; nothing where the answer goes out as it is, or not at all."""
    if verdict.route not in ("deliver_part", "deliver_corrected"):
        return
    st.subheader("What was changed", anchor=False)
    st.markdown(f"**{title(verdict.changes)}**")
    for n, change in enumerate(verdict.changes, 1):
        with st.container(border=True, key=f"change {n}"):
            st.markdown(change_text(n, change))


def title(made: Sequence[Change]) -> str:
    """How many sentences were kept, changed and left out."""
    count = {done: sum(c.done == done for c in made) for done in DONE}
    said = {"kept": "kept", "changed": "said in the book's words", "left_out": "left out"}
    told = ", ".join(f"{count[done]} {words}" for done, words in said.items() if count[done])
    return f"Of {counted(len(made), 'sentence')}: {told}"


def change_text(n: int, change: Change) -> str:
    """One sentence as Markdown: what was done, the words that went and came, why, and how sure the passages are."""
    sure = "not read against the passages" if change.confidence is None else f"**{number(change.confidence)}**"
    of = "it" if change.done == "left_out" else "what goes out"
    head = f"**Sentence {n}** {DONE[change.done]} :gray[· the passages say {of}:] {sure}"
    return "  \n".join(part for part in (head, compared(change), plain(change.why)) if part)


def compared(change: Change) -> str:
    """The sentence with the words that went struck out and the words that came marked."""
    if change.done == "kept":
        return plain(change.after)
    if change.done == "left_out":
        return struck(change.before)
    old, new = _WORDS.findall(change.before), _WORDS.findall(change.after)
    parts = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    drawn = [(plain("".join(old[a:b])),) if tag == "equal" else _swap(old[a:b], new[c:d]) for tag, a, b, c, d in parts]
    return " ".join(one for part in drawn for one in part if one)


def _swap(old: Sequence[str], new: Sequence[str]) -> tuple[str, str]:
    came = plain("".join(new))
    return struck("".join(old)), f":blue-background[**{came}**]" if came else ""


def struck(words: str) -> str:
    """Words with a line through them."""
    went = plain(words)
    return f"~~{went}~~" if went else ""
