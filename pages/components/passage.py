"""A passage to read: where it stands, what it scored, and which of its sentences mattered."""

import streamlit as st

from core.case import Evidence, Passage
from core.chain import Verdict
from pages.components.digits import number
from pages.components.plain import plain
from pages.components.session import opened_passage

SCORES = {
    "cosine": "similarity to the question, from −1 to 1",
    "related": "probability that it is about the topic",
    "hybrid": "probability that it answers, from the search",
    "answers": "probability that it answers, finally",
}


def show_opened(verdict: Verdict) -> None:
    """The dialog of the passage that was clicked, if one was."""
    place = opened_passage()
    if place is not None and place < len(verdict.round.case.evidence):
        _dialog(verdict, place)


@st.dialog("The passage", width="medium", icon=":material/menu_book:")
def _dialog(verdict: Verdict, place: int) -> None:
    evidence = verdict.round.case.evidence[place]
    st.markdown(where(evidence.passage))
    st.markdown(" · ".join(f"{name} **{number(getattr(evidence, name))}**" for name in SCORES), help=_legend())
    decided = deciding(verdict, place)
    with st.container(border=True, key="passage_text"):
        st.markdown(marked(evidence, decided))
    st.caption("Blue: read for this question. Bold with a flag: decided how a sentence of the answer was judged.")
    for sentence in sorted(set(decided.values())):
        st.caption(f"Sentence {sentence + 1} of the answer: {plain(verdict.sentences[sentence].text)}")


def where(passage: Passage) -> str:
    """Document, page, class, subject, chapter and section, as far as they are known."""
    about = [
        f"class {passage.class_number}" if passage.class_number else "", passage.subject,
        f"chapter {passage.chapter}" if passage.chapter else "", passage.section,
    ]  # fmt: skip
    rest = " · ".join(plain(a) for a in about if a)
    return f"**{plain(passage.document)}, page {passage.page}**" + (f"  \n{rest}" if rest else "")


def deciding(verdict: Verdict, place: int) -> dict[int, int]:
    """Sentence of the passage -> sentence of the answer that it decided, by what language inference read."""
    found: dict[int, int] = {}
    signals = verdict.round.signals.get("entailment")
    for s, windows in enumerate(verdict.round.windows):
        if signals is not None and signals["considered"][s][place]:
            found |= {i: s for i in windows[place] if i not in found}
    return found


def marked(evidence: Evidence, decided: dict[int, int]) -> str:
    """The passage as Markdown: kept sentences on blue, deciding ones bold with a flag and their sentence's number."""
    return " ".join(
        _sentence(plain(text), i in evidence.kept, decided.get(i)) for i, text in enumerate(evidence.passage.sentences)
    )


def _sentence(text: str, kept: bool, decided: int | None) -> str:
    if decided is not None:
        text = f":material/flag: S{decided + 1} **{text}**"
    return f":blue-background[{text}]" if kept else text


def _legend() -> str:
    return "  \n".join(f"**{name}**: {meaning}" for name, meaning in SCORES.items())
