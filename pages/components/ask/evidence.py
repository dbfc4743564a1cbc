"""The evidence of an answer: a grid of its sentences by the passages, and a dialog that shows a passage."""

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
from core.library.passages import document_of, marks_of
from core.pdf.page import PageRect
from core.retrieval.scoring import SCORES
from core.text.book_titles import book, in_short, origin, page_of_passage, page_title, with_page
from core.thresholds import Preset
from pages.components.ask.confidence import has_search
from pages.components.library.page_reader import BADLY, open_document, page_picture
from pages.components.shared.question_state import open_passage
from pages.components.shared.safe_display import ERRORS, all_of, plain, shorten, show
from pages.components.shared.session import ASK

SHORT = dict(zip(LABELS, ("Supported", "Unclear", "Contradicted"), strict=True))
"""Each NLI label in plain words."""
GRID_TITLES = {
    "deliver_part": " of the original answer", "deliver_corrected": " of the original answer",
    "refuse": " of the withheld draft", "escalate": " of the withheld draft", "clarify": " of the withheld draft",
}  # fmt: skip
"""Whose sentences the grid shows where they do not go out as they were written, by route."""
MAX_CELLS = 40
"""Most sentences that are drawn; the legend states the total of a longer answer."""


def grid(verdict: Verdict, preset: Preset, part: int = 0) -> None:
    """Draw the grid and a button for each passage; one sentence if none was compared with a passage.

    part: number of the question part that `verdict` is about, from 1; 0 for the whole question.
    """
    if reason := no_grid(verdict):
        st.caption(reason)
        return
    st.markdown(f"**{title(verdict)}**")
    st.html(grid_html(verdict, preset))
    count = len(verdict.sentences)
    more = f" The first {MAX_CELLS} of {count} sentences are drawn." if count > MAX_CELLS else ""
    differs = any(not s.abstains and s.label and s.supported != (s.label == "entailment") for s in verdict.sentences)
    weight_note = (
        " A cell reads one passage alone; the check Support weighs all of them, and decides." if differs else ""
    )
    st.caption(
        f"Dark cells decide how a sentence is judged; pale ones only compare; ○ was not compared.{weight_note}{more}"
    )
    passage_buttons(verdict, part)


def no_grid(verdict: Verdict) -> str:
    """Why there is no grid to draw, as a sentence; "" if there is one."""
    if not has_search(verdict):
        return "Nothing was searched for this, so there is no passage to compare with."
    if verdict.round.signals.get("entailment") is None or not verdict.sentences:
        return "No sentence was compared with a passage."
    return ""


def title(verdict: Verdict) -> str:
    """The title of the grid: how many sentences the book does not support. A greeting needs no support."""
    if verdict.answered and verdict.round.case.kind == "small_talk":
        return "A greeting needs no support"
    count = sum(not s.abstains for s in verdict.sentences)
    if not count:
        return "The answer only says that there is no answer"
    open_count, subject = count - verdict.supported, GRID_TITLES.get(verdict.route, "")
    if not open_count:
        sentences = "this sentence" if count == 1 and not subject else all_of(count)
        return f"The book supports {sentences}{subject}"
    one = "The one sentence" if subject else "This sentence"
    if open_count == count > 1:
        none_ = "Neither sentence" if count == 2 else f"None of the {count} sentences"
        return f"{none_}{subject} is supported by the book"
    sentences = one if count == 1 else f"{open_count} of {count} sentences"
    return f"{sentences}{subject} {'is' if open_count == 1 else 'are'} not supported by the book"


def grid_html(verdict: Verdict, preset: Preset) -> str:
    """The grid as HTML: a row for each sentence, a column for each passage. The keyboard can focus and scroll it."""
    signals, limit = verdict.round.signals["entailment"], float(Check.registry["entailment"].bind(preset).nli_threshold)
    probabilities = np.stack([signals[label] for label in LABELS], -1)[:MAX_CELLS]
    is_read, judgement = signals["considered"] > 0, verdict.round.case.judgement
    headers = [_header(verdict, n) for n in range(len(verdict.round.case.passages))]
    headers += [_tag("th", "a language model", "says yes", judgement.by)] if judgement else []
    rows = []
    for n, s in enumerate(verdict.sentences[:MAX_CELLS]):
        cells = [cell(p, limit, is_read=bool(j)) for p, j in zip(probabilities[n], is_read[n], strict=True)]
        cells += [yes_cell(judgement.yes[n])] if judgement else []
        text = f"S{n + 1} {''.join(f'[{c}]' for c in s.citations)} {shorten(s.text, 44)}"
        tags = "".join(_tag("td", c["label"], c["number"], c["said"], c["look"]) for c in cells)
        css_class = "sentence" if s.supported or s.abstains else "sentence fails"
        rows.append(f"<tr>{_tag('th', text, '', s.text, css_class)}{tags}</tr>")
    return (
        '<div class="grid" tabindex="0" role="region" aria-label="Sentences by passages">'
        f'<table aria-label="{escape(title(verdict))}"><thead><tr><th>sentence</th>{"".join(headers)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _header(verdict: Verdict, index: int) -> str:
    passage, number = verdict.round.case.passages[index], page(verdict, index)
    return _tag("th", marked_page(index + 1, number), shorten(in_short(passage), 12), with_page(passage, number))


def _tag(name: str, text: str, subtext: str, hover: str, css_class: str = "") -> str:
    """A table cell as HTML. name: th or td. subtext: small text below `text`. css_class: the CSS class."""
    small = f"<small>{escape(subtext)}</small>" if subtext else ""
    return f'<{name} class="{css_class}" title="{escape(hover)}">{escape(text)}{small}</{name}>'


def page(verdict: Verdict, index: int) -> int:
    """The page number shown for a passage, the same as where the answer cites it; 0 if it is not known."""
    return cited_page(verdict.round, index, verdict.sentences)


def marked_page(number: int, page: int) -> str:
    """The number of a passage with its page, such as "[2] p. 5"; without the page if it is 0."""
    return f"[{number}] p. {page}" if page else f"[{number}]"


def cell(row: np.ndarray, limit: float, *, is_read: bool) -> dict[str, str]:
    """The cell of a sentence and a passage: look, label, probability and hover text.

    row: probabilities of shape (labels,), NaN if not compared. limit: the neutral limit; the probability is
    rounded to the correct side of it. is_read: True if the sentence is judged by this passage; else the cell is pale.
    """
    if np.isnan(row).any():
        return {"look": "", "label": "○", "number": "", "said": "Not read: the sentence is judged by another passage"}
    label, probability = LABELS[int(row.argmax())], float(row.max())
    probabilities = ", ".join(f"{name} {p:.3f}" for name, p in zip(LABELS, row, strict=True))
    return {
        "look": label if is_read else f"{label} pale", "label": SHORT[label],
        "number": beside(probability, limit) if label == "neutral" else number(probability),
        "said": f"The passage {WORDS[label]}: {probabilities}",
    }  # fmt: skip


def yes_cell(yes: float) -> dict[str, str]:
    """The cell of a sentence for the language model that judges it. yes: probability that the passages say it."""
    label = "YES" if yes >= 0.5 else "NO"
    css_class = "entailment pale" if label == "YES" else "contradiction pale"
    return {
        "look": css_class,
        "label": label,
        "number": number(yes),
        "said": f"P(yes) {yes:.3f}, asked of all passages",
    }


def passage_buttons(verdict: Verdict, part: int) -> None:
    """Draw a button for each passage that opens its dialog. part: as in `grid`."""
    with st.container(horizontal=True, gap="small"):
        for n, evidence in enumerate(verdict.round.case.evidence):
            number = page(verdict, n)
            st.button(
                plain(marked_page(n + 1, number)), key=f"passage {n}", type="tertiary", on_click=open_passage,
                args=(n, part),
                help=plain(f"Read the passage of {with_page(evidence.passage, number)}"),
            )  # fmt: skip


def show_passage_dialog(verdict: Verdict, explorer: Any) -> None:
    """Open the dialog of the passage that was clicked, if there is one."""
    index, part = ASK.opened.take() or (-1, 0)
    shown_verdict = verdict.parts[part - 1] if 1 <= part <= len(verdict.parts) else verdict
    if 0 <= index < len(shown_verdict.round.case.evidence):
        _dialog(shown_verdict, index, explorer.library)


@st.dialog("The passage", width="large", icon=":material/menu_book:")
def _dialog(verdict: Verdict, index: int, library: Any) -> None:
    evidence, sentence_by_index = verdict.round.case.evidence[index], deciding(verdict.round, index)
    text_column, picture_column = st.columns(2, gap="medium")
    with text_column:
        _text(verdict, index, sentence_by_index)
    with picture_column:
        if verdict.round.case.question.contexts is None:
            _page(library, evidence, sentence_by_index)
        else:
            st.caption("This text came with the question, so there is no page to show.")


def _text(verdict: Verdict, index: int, sentence_by_index: dict[int, int]) -> None:
    """Draw a passage with its origin, scores and marks. sentence_by_index: passage sentence -> answer sentence."""
    evidence = verdict.round.case.evidence[index]
    st.markdown(origin_text(evidence.passage, page(verdict, index)))
    meanings = "  \n".join(f"**{name}**: {meaning}" for name, meaning in SCORES.items())
    st.markdown(" · ".join(f"{name} **{number(getattr(evidence, name))}**" for name in SCORES), help=meanings)
    with st.container(border=True, key="passage_text"):
        st.markdown(passage_text(evidence, sentence_by_index))
    st.caption("Blue: relevant to the question. Bold with a flag: the answer was checked against this sentence.")
    for sentence in sorted(set(sentence_by_index.values())):
        st.caption(f"Sentence {sentence + 1} of the answer: {plain(verdict.sentences[sentence].text)}")


def _page(library: Any, evidence: Evidence, sentence_by_index: dict[int, int]) -> None:
    """Draw the page with the deciding sentences marked, else those that bear on the question; a choice of two pages."""
    passage, marked_sentences = evidence.passage, sorted(sentence_by_index) or evidence.kept
    try:
        rects = library.sentence_rects(passage.id)
    except ERRORS as error:
        show(error)
        return
    marks = marks_of(rects, marked_sentences)
    pages = pages_of(passage, marked_sentences, marks)
    page = pages[0]
    if len(pages) > 1:
        page = st.segmented_control("Page", pages, default=page, required=True, key=f"page of {passage.id}")
    if st.button(
        f"Open {page_of_passage(passage, page)} in the library", icon=":material/arrow_forward:",
        key="open in the library", type="tertiary", on_click=open_document,
        args=(document_of(passage.id), page, passage.id),
    ):  # fmt: skip
        st.switch_page("pages/library.py")
    count = sum(any(mark[0] == page for mark in marks_of(rects, [i])) for i in marked_sentences)
    title = (
        f"{page_title(page, passage.label(page))} of {book(passage)}: {picture_title(count, bool(sentence_by_index))}"
    )
    page_picture(library, document_of(passage.id), page, marks, title)


def picture_title(count: int, is_deciding: bool) -> str:
    """The title of a page picture.

    count: number of marked sentences. is_deciding: True if they decided on the answer, False if they were only read.
    """
    if not count:
        return "the position of the sentence is not known"
    bears = "bears" if count == 1 else "bear"
    role = "that decided" if is_deciding else f"that {bears} on the question"
    return f"the sentence {role} is marked" if count == 1 else f"the {count} sentences {role} are marked"


def pages_of(passage: Passage, sentences: Sequence[int], marks: Sequence[PageRect]) -> list[int]:
    """The page numbers of these sentences of a passage, from their marks if there are any; never empty."""
    pages = {mark[0] for mark in marks}
    return sorted(pages or {passage.pages[i] for i in sentences} or {passage.page})


def origin_text(passage: Passage, page: int) -> str:
    """The origin of a passage as Markdown: chapter and page, then class, subject, section and file if known."""
    rest = plain(origin(passage))
    return f"**{plain(with_page(passage, page))}**" + (f"  \n{rest}" if rest else "")


def passage_text(evidence: Evidence, sentence_by_index: dict[int, int]) -> str:
    """The passage as Markdown: sentences that bear on the question on blue, deciding ones bold with a flag.

    sentence_by_index: for each deciding sentence, the answer sentence that it decided, both from 0.
    """
    sentences = []
    for i, sentence in enumerate(evidence.passage.sentences):
        text = plain(sentence)
        if i in evidence.passage.broken:
            sentences.append(f":gray[{text}] {BADLY}")
            continue
        if i in sentence_by_index:
            text = f":material/flag: S{sentence_by_index[i] + 1} **{text}**"
        sentences.append(f":blue-background[{text}]" if i in evidence.kept else text)
    return " ".join(sentences)
