"""The page of the book beside the answer: the passage that decided, marked on its page, and its text below."""

from collections.abc import Sequence
from typing import Any

import streamlit as st

from core.book_titles import book, origin, page_of_passage, page_title, with_page
from core.case import Passage
from core.decide import Verdict
from core.decide.delivery import bearing_passages
from core.decide.judged_sentences import deciding
from core.library import LibraryError
from core.library.passages import document_of, marks_of
from core.pdf.page import PageRect
from core.reply.display_rounding import number
from core.thresholds import Preset
from pages.components.ask.sentences import cells, whose
from pages.components.shared.page_picture import BADLY, PageLabel, open_document, page_picture
from pages.components.shared.safe_display import plain
from pages.components.shared.session import ASK

LOOKS = {
    "entailment": ("green", "check_circle", "Agrees with {}"),
    "neutral": ("gray", "radio_button_unchecked", "Leaves {} open"),
    "contradiction": ("red", "cancel", "Disagrees with {}"),
}
"""Colour, icon and words of what a passage does with a sentence, by NLI label."""
BEING_ADDED = "The sample chapters are being added; the page comes in a moment."


def page_beside(verdict: Verdict, preset: Preset, library: Any) -> None:
    """Draw the passage that was chosen, or else the one that matters most, on its page; nothing without passages."""
    source, index = passage_to_show(verdict)
    if index < 0:
        return
    sentence_by_index = marked(source, index)
    with st.container(key="page beside", gap="xsmall"):
        if source.round.case.question.contexts is None:
            is_given = bool(source.round.case.draft and source.round.case.draft.given)
            has_labels = source.answered or is_given  # nothing green stands beside a refusal of our own
            _page(library, source, index, sentence_by_index, has_labels=has_labels)
        else:
            st.caption("This text came with the question, so there is no page to show.")
        with st.expander(
            "Text of this passage", icon=":material/notes:", key=ASK.passage_box.key, on_change="rerun"
        ) as box:
            if box.open:
                _words(source, index, sentence_by_index, preset)


def passage_to_show(verdict: Verdict) -> tuple[Verdict, int]:
    """(verdict of a part or of the whole, index of a passage): the passage that was chosen, else the first that decides
    against a sentence, else the first that decides on one, else the best one; -1 without passages."""
    part, index = ASK.opened.value or (0, -1)
    source = verdict.parts[part - 1] if 1 <= part <= len(verdict.parts) else verdict
    if 0 <= index < len(source.round.case.evidence):
        return source, index
    for own in verdict.parts or (verdict,):
        order = sorted(range(len(own.sentences)), key=lambda n: own.sentences[n].supported)
        for n in order if own.round.signals.get("support") else ():
            if numbers := bearing_passages(own.round, n):
                return own, numbers[0] - 1
    with_evidence = (own for own in verdict.parts or (verdict,) if own.round.case.evidence)
    best = next(with_evidence, None)
    return (best, 0) if best else (verdict, -1)


def marked(source: Verdict, index: int) -> dict[int, int]:
    """The sentences of the passage at `index` that decided on the answer: index -> index of the answer sentence. If the
    red pen puts a sentence of the book in the place of an answer sentence, only that one counts as deciding."""
    found, sentences = deciding(source.round, index), source.round.case.evidence[index].passage.sentences
    for n, sentence in enumerate(source.sentences):
        if sentence.instead_passage == index + 1 and sentence.instead in sentences:
            others = {i: of for i, of in found.items() if of != n}
            found = others | {sentences.index(sentence.instead): n}
    return found


def margin_label(source: Verdict, n: int) -> tuple[str, str]:
    """The mark of the answer sentence at index `n` for the margin of a page, and the NLI label that sets its colour. It
    is the mark of the red pen: a single passage may contradict what all passages together say."""
    sentence = source.sentences[n]
    if sentence.state == "said":
        return f"✓ sentence {n + 1}", "entailment"
    is_wrong = sentence.instead and not sentence.supported
    return (f"✗ against sentence {n + 1}", "contradiction") if is_wrong else (f"? sentence {n + 1}", "neutral")


def _page(library: Any, source: Verdict, index: int, sentence_by_index: dict[int, int], *, has_labels: bool) -> None:
    """Draw the page of the passage at `index`, with a choice of the page if its marked sentences are on two. Marked are
    the sentences that decided on the answer; if none did, those that bear on the question.

    has_labels: whether the mark of each sentence of the answer is drawn in the margin.
    """
    evidence = source.round.case.evidence[index]
    passage, marked_sentences = evidence.passage, sorted(sentence_by_index) or evidence.kept
    try:
        rects = library.sentence_rects(passage.id)
    except LibraryError as error:
        st.markdown(passage_text(source, index, sentence_by_index))
        st.caption(plain(f"The page cannot be drawn: {error}" if library.documents() else BEING_ADDED))
        return
    marks = marks_of(rects, marked_sentences)
    pages = pages_of(passage, marked_sentences, marks)
    page = pages[0]
    if len(pages) > 1:
        page = st.segmented_control("Page", pages, default=page, required=True, key=f"page of {passage.id}")
    count = sum(any(mark[0] == page for mark in marks_of(rects, [i])) for i in marked_sentences)
    labels = []
    for n in dict.fromkeys(sentence_by_index.values()) if has_labels else ():
        text, look = margin_label(source, n)
        rects_of_n = marks_of(rects, [i for i, of in sentence_by_index.items() if of == n])
        labels.append(PageLabel(rects=rects_of_n, text=text, look=look))
    title = f"{page_title(page, passage.label(page))} of {book(passage)}"
    page_picture(
        library, document_of(passage.id), page, marks, title, labels, picture_title(count, bool(sentence_by_index))
    )


def picture_title(count: int, is_deciding: bool) -> str:
    """What is marked on a page picture.

    count: number of marked sentences. is_deciding: True if they decided on the answer, False if they were only read.
    """
    if not count:
        return "the position of the sentence is not known"
    role = "compared with the answer" if is_deciding else "relevant to the question"
    return f"the sentence {role} is highlighted" if count == 1 else f"the {count} sentences {role} are highlighted"


def pages_of(passage: Passage, sentences: Sequence[int], marks: Sequence[PageRect]) -> list[int]:
    """The page numbers of these sentences of a passage, from their marks if there are any; never empty."""
    pages = {mark[0] for mark in marks}
    return sorted(pages or {passage.pages[i] for i in sentences} or {passage.page})


def _words(verdict: Verdict, index: int, sentence_by_index: dict[int, int], preset: Preset) -> None:
    """Draw a passage with its origin, what it does with the answer by its NLI labels, its text and its scores.

    sentence_by_index: as `marked` gives it.
    """
    from core.retrieval.scoring import SCORES

    evidence = verdict.round.case.evidence[index]
    passage, page = evidence.passage, verdict.page_of(index)
    st.markdown("  \n".join(filter(None, (f"**{plain(with_page(passage, page))}**", plain(origin(passage))))))
    for n, row in enumerate(cells(verdict, preset)):
        if n in sentence_by_index.values() and row[index].look in LOOKS:
            colour, icon, words = LOOKS[row[index].look]
            does = words.format(f"sentence {n + 1}{whose(verdict) or ' of the answer'}")
            figure = f":gray[({row[index].look} {row[index].number})]"
            st.markdown(f":{colour}[:material/{icon}: {does}] {figure}  \n“{plain(verdict.sentences[n].text)}”")
    st.markdown(passage_text(verdict, index, sentence_by_index))
    scores = (f"- {name} **{number(getattr(evidence, name))}**: {meaning}" for name, meaning in SCORES.items())
    st.caption("\n".join(scores))
    if verdict.round.case.question.contexts is None and st.button(
        f"Open {page_of_passage(passage, page)} in the library", icon=":material/arrow_forward:",
        key="open in the library", type="tertiary", on_click=open_document,
        args=(document_of(passage.id), page or passage.page, passage.id),
    ):  # fmt: skip
        st.switch_page("pages/library.py")


def passage_text(verdict: Verdict, index: int, sentence_by_index: dict[int, int]) -> str:
    """The passage at `index` as Markdown: a deciding sentence in the colour of the answer sentence it decided on, with
    the mark of that sentence before it; if none decided, those that bear on the question are blue. The others are grey.

    sentence_by_index: as `marked` gives it.
    """
    evidence = verdict.round.case.evidence[index]
    sentences, labelled = [], set()
    for i, sentence in enumerate(evidence.passage.sentences):
        text = plain(sentence)
        if i in evidence.passage.broken:
            sentences.append(f":gray[{text}] {BADLY}")
        elif (n := sentence_by_index.get(i)) is not None:
            mark, look = margin_label(verdict, n)
            colour = LOOKS[look][0]
            label = "" if n in labelled else f":{colour}-badge[{mark}] "
            sentences.append(f"{label}:{colour}-background[**{text}**]")
            labelled.add(n)
        elif i not in evidence.kept:
            sentences.append(f":gray[{text}]")
        else:
            sentences.append(text if sentence_by_index else f":blue-background[{text}]")
    return " ".join(sentences)
