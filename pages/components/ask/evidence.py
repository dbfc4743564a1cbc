"""The evidence of an answer: its sentences by the passages, and each passage to read, in words and on its page."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import streamlit as st

from core.case import Evidence, Passage
from core.chain import Verdict
from core.chain.display_rounding import beside, number
from core.chain.judged_sentences import WORDS, cited_page, deciding
from core.check import Check
from core.judgements import LABELS
from core.library.passage_store import document_of, marks_of
from core.pdf.page import Place
from core.retrieval.scoring import SCORES
from core.text.book_titles import book, in_short, origin, page_of_passage, page_title, with_page
from core.thresholds import Preset
from pages.components.library.page_reader import BADLY, open_document, page_picture
from pages.components.shared.question_state import open_passage, opened_passage
from pages.components.shared.safe_display import ERRORS, plain, shortened, show

SHORT = {label: label[:3].upper() for label in LABELS}
SHOWN = 40
"""Most sentences that are drawn; a longer answer says how many are left out."""


def grid(verdict: Verdict, preset: Preset, part: int = 0) -> None:
    """The picture, with a button for each passage under it; one sentence when there is nothing to draw.

    part: of the question, from 1, when it is only of one.
    """
    signals = verdict.round.signals.get("entailment")
    if signals is None or not verdict.sentences:
        st.caption("No sentence was read against a passage.")
        return
    st.markdown(f"**{title(verdict)}**")
    st.html(drawn(verdict, preset))
    st.caption(_legend(len(verdict.sentences)))
    passage_buttons(verdict, part)


def title(verdict: Verdict) -> str:
    """What the picture shows: how many sentences the passages do not say. Of what only greets none has to say it."""
    if verdict.answered and verdict.round.case.kind == "small_talk":
        return "A greeting says nothing that a passage has to say"
    count = sum(not s.abstains for s in verdict.sentences)
    open_ = count - verdict.supported
    if not open_:
        said = "the only sentence" if count == 1 else f"all {count} sentences"
        return f"The passages say {said}{'' if verdict.answered else ' of the answer that is held back'}"
    return f"{open_} of {count} sentence{'s' if count > 1 else ''} not said by the passages"


def drawn(verdict: Verdict, preset: Preset) -> str:
    """The picture as HTML: a row a sentence, a column a passage. The keyboard reaches it, to scroll."""
    signals, limit = verdict.round.signals["entailment"], float(Check.registry["entailment"].bind(preset).nli_threshold)
    probabilities = np.stack([signals[label] for label in LABELS], -1)[:SHOWN]
    judged, asked = signals["considered"] > 0, verdict.round.case.judgement
    heads = [_head(verdict, n) for n in range(len(verdict.round.case.passages))]
    heads += [_tag("th", "a language model", "says yes", asked.by)] if asked else []
    rows = []
    for n, s in enumerate(verdict.sentences[:SHOWN]):
        cells = [cell(p, limit, judged=bool(j)) for p, j in zip(probabilities[n], judged[n], strict=True)]
        cells += [yes_cell(asked.yes[n])] if asked else []
        text = f"S{n + 1} {''.join(f'[{c}]' for c in s.citations)} {shortened(s.text, 44)}"
        shown = "".join(_tag("td", c["label"], c["number"], c["said"], c["look"]) for c in cells)
        rows.append(f"<tr>{_tag('th', text, '', s.text, 'sentence')}{shown}</tr>")
    return (
        '<div class="grid" tabindex="0" role="region" aria-label="Sentences by passages">'
        f'<table aria-label="{escape(title(verdict))}"><thead><tr><th>sentence</th>{"".join(heads)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _head(verdict: Verdict, place: int) -> str:
    passage, where = verdict.round.case.passages[place], page(verdict, place)
    return _tag("th", marked_page(place + 1, where), shortened(in_short(passage), 12), with_page(passage, where))


def _tag(name: str, text: str, below: str, hover: str, look: str = "") -> str:
    """A cell of the table, with what stands below its text in small letters, and what is said on hover."""
    small = f"<small>{escape(below)}</small>" if below else ""
    return f'<{name} class="{look}" title="{escape(hover)}">{escape(text)}{small}</{name}>'


def page(verdict: Verdict, place: int) -> int:
    """The page that is named for a passage, the same as where the answer cites it."""
    return cited_page(verdict.round, place, verdict.sentences)


def marked_page(number: int, page: int) -> str:
    """A passage by its number, with its page where that is known: "[2] p. 5"."""
    return f"[{number}] p. {page}" if page else f"[{number}]"


def cell(row: np.ndarray, limit: float, *, judged: bool) -> dict[str, str]:
    """One pair: its label and probability, in digits that do not contradict the neutral limit. row: (labels,).

    judged: the sentence is judged by it; else it is pale. Hollow where the pair was not read.
    """
    if np.isnan(row).any():
        return {"look": "", "label": "○", "number": "", "said": "Not read: the sentence is judged by another passage"}
    label, probability = LABELS[int(row.argmax())], float(row.max())
    listed = ", ".join(f"{name} {p:.3f}" for name, p in zip(LABELS, row, strict=True))
    return {
        "look": label if judged else f"{label} pale", "label": SHORT[label],
        "number": beside(probability, limit) if label == "neutral" else number(probability),
        "said": f"The passage {WORDS[label]}: {listed}",
    }  # fmt: skip


def yes_cell(yes: float) -> dict[str, str]:
    """What a language model said of a sentence when it was asked whether the passages say it."""
    said = "YES" if yes >= 0.5 else "NO"
    look = "entailment pale" if said == "YES" else "contradiction pale"
    return {"look": look, "label": said, "number": number(yes), "said": f"P(yes) {yes:.3f}, asked of all passages"}


def passage_buttons(verdict: Verdict, part: int) -> None:
    with st.container(horizontal=True, gap="small"):
        for n, evidence in enumerate(verdict.round.case.evidence):
            where = page(verdict, n)
            st.button(
                plain(marked_page(n + 1, where)), key=f"passage {n}", type="tertiary", on_click=open_passage,
                args=(n, part),
                help=plain(f"Read the passage of {with_page(evidence.passage, where)}"),
            )  # fmt: skip


def _legend(count: int) -> str:
    said = " · ".join(f"{SHORT[label]}: the passage {words}" for label, words in WORDS.items())
    more = f" The first {SHOWN} of {count} sentences are drawn." if count > SHOWN else ""
    return f"{said}. Dark cells: what a sentence is judged by; pale ones only compare; ○ was not read.{more}"


def show_opened(verdict: Verdict, library: Any) -> None:
    """The dialog of the passage that was clicked, if one was."""
    place, part = opened_passage() or (-1, 0)
    of = verdict.parts[part - 1] if 1 <= part <= len(verdict.parts) else verdict
    if 0 <= place < len(of.round.case.evidence):
        _dialog(of, place, library)


@st.dialog("The passage", width="large", icon=":material/menu_book:")
def _dialog(verdict: Verdict, place: int, library: Any) -> None:
    evidence, decided = verdict.round.case.evidence[place], deciding(verdict.round, place)
    words, picture = st.columns(2, gap="medium")
    with words:
        _words(verdict, evidence, decided)
    with picture:
        if verdict.round.case.question.contexts is None:
            _page(library, evidence, decided)
        else:
            st.caption("This text came with the question, so there is no page to show.")


def _words(verdict: Verdict, evidence: Evidence, decided: dict[int, int]) -> None:
    place = verdict.round.case.evidence.index(evidence)
    st.markdown(where(evidence.passage, page(verdict, place)))
    meanings = "  \n".join(f"**{name}**: {meaning}" for name, meaning in SCORES.items())
    st.markdown(" · ".join(f"{name} **{number(getattr(evidence, name))}**" for name in SCORES), help=meanings)
    with st.container(border=True, key="passage_text"):
        st.markdown(marked(evidence, decided))
    st.caption("Blue: read for this question. Bold with a flag: decided how a sentence of the answer was judged.")
    for sentence in sorted(set(decided.values())):
        st.caption(f"Sentence {sentence + 1} of the answer: {plain(verdict.sentences[sentence].text)}")


def _page(library: Any, evidence: Evidence, decided: dict[int, int]) -> None:
    """The picture of the page with the sentences that matter marked; of each page where they lie on two."""
    passage, matter = evidence.passage, sorted(decided) or evidence.kept
    try:
        places = library.places(passage.id)
    except ERRORS as error:
        show(error)
        return
    marks = marks_of(places, matter)
    pages = pages_of(passage, matter, marks)
    page = pages[0]
    if len(pages) > 1:
        page = st.segmented_control("Page", pages, default=page, required=True, key=f"page of {passage.id}")
    if st.button(
        f"Open {page_of_passage(passage, page)} in the library", icon=":material/arrow_forward:",
        key="open in the library", type="tertiary", on_click=open_document,
        args=(document_of(passage.id), page, passage.id),
    ):  # fmt: skip
        st.switch_page("pages/library.py")
    count = sum(any(mark[0] == page for mark in marks_of(places, [i])) for i in matter)
    title = f"{page_title(page, passage.label(page))} of {book(passage)}: {what_is_marked(count, bool(decided))}"
    page_picture(library, document_of(passage.id), page, marks, title)


def what_is_marked(count: int, decided: bool) -> str:
    """What a picture shows of a passage: `count` of its sentences, those that decided or those that were read."""
    if not count:
        return "where the sentence stands on it is not known"
    why = "that decided" if decided else "that was read" if count == 1 else "that were read"
    return f"the sentence {why} is marked" if count == 1 else f"the {count} sentences {why} are marked"


def pages_of(passage: Passage, matter: Sequence[int], marks: Sequence[Place]) -> list[int]:
    """The pages on which these sentences of a passage lie, as their marks say it, else the passage; never none."""
    marked = {mark[0] for mark in marks}
    return sorted(marked or {passage.pages[i] for i in matter} or {passage.page})


def where(passage: Passage, page: int) -> str:
    """Chapter and page, and below them class, subject, section and file, as far as they are known."""
    rest = plain(origin(passage))
    return f"**{plain(with_page(passage, page))}**" + (f"  \n{rest}" if rest else "")


def marked(evidence: Evidence, decided: dict[int, int]) -> str:
    """The passage as Markdown: kept sentences on blue, deciding ones bold with a flag and their sentence's number."""
    return " ".join(
        f":gray[{plain(text)}] {BADLY}"
        if i in evidence.passage.broken
        else _sentence(plain(text), i in evidence.kept, decided.get(i))
        for i, text in enumerate(evidence.passage.sentences)
    )


def _sentence(text: str, kept: bool, decided: int | None) -> str:
    if decided is not None:
        text = f":material/flag: S{decided + 1} **{text}**"
    return f":blue-background[{text}]" if kept else text
