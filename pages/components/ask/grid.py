"""The grid: a row for each sentence of an answer, a column for each passage."""

from html import escape
from typing import NamedTuple

import numpy as np
import streamlit as st

from core.book_titles import in_short, with_page
from core.check import Check, mode_of
from core.decide import Verdict
from core.decide.judged_sentences import WORDS
from core.judgements import LABELS
from core.reply.display_rounding import beside, number
from core.thresholds import Preset
from pages.components.ask.verdict_words import has_search
from pages.components.shared.safe_display import all_of, plain, shorten
from pages.components.shared.session import ASK

SHORT = dict(zip(LABELS, ("Agrees", "Unclear", "Disagrees"), strict=True))
"""What one passage says to a sentence, by NLI label. Whether the sentence is supported is another matter: all passages
decide that together, and the words differ so that the two cannot be mistaken for each other."""
GRID_TITLES = {
    "deliver_part": " of the original answer", "deliver_corrected": " of the original answer",
    "refuse": " of the withheld draft", "escalate": " of the withheld draft", "clarify": " of the withheld draft",
}  # fmt: skip
"""The end of the grid's title, by route: whose sentences it shows where they do not go out as they were written."""
IN_ALL = "In all"
"""Title of the column that says whether a sentence is supported."""
_DECIDES = "Whether the passages together support the sentence well enough. This decides, not a single passage."
MAX_CELLS = 40
"""Maximum sentences that are drawn; the legend states the total of a longer answer."""


def grid(verdict: Verdict, preset: Preset, part: int = 0) -> None:
    """Draw the grid, and a button for each passage that shows its page beside the answer. If no sentence was compared
    with a passage, draw a sentence that says so.

    part: number of the question part that `verdict` is about, from 1; 0 for the whole question.
    """
    if reason := no_grid(verdict):
        st.caption(reason)
        return
    st.markdown(f"**{title(verdict)}**")
    st.html(grid_html(verdict, preset))
    count = len(verdict.sentences)
    more = f" The first {MAX_CELLS} of {count} sentences are drawn." if count > MAX_CELLS else ""
    st.caption(
        "Each cell compares one sentence with one passage: dark cells count towards the verdict, pale ones do not, "
        f"○ means not compared. The column “{IN_ALL}” gives the verdict on each sentence.{more}"
    )
    with st.container(horizontal=True, gap="small", key="passages"):
        for n, evidence in enumerate(verdict.round.case.evidence):
            page = verdict.page_of(n)
            st.button(
                plain(marked_page(n + 1, page)), key=f"passage {n}", type="tertiary", on_click=ASK.opened.set,
                args=((part, n),), help=plain(f"Read the passage of {with_page(evidence.passage, page)}"),
            )  # fmt: skip


def no_grid(verdict: Verdict) -> str:
    """A sentence: why there is no grid to draw; "" if there is one."""
    if not has_search(verdict):
        return "Nothing was searched for this, so there is no passage to compare with."
    if verdict.round.signals.get("entailment") is None or not verdict.sentences:
        return "No sentence was compared with a passage."
    return ""


def title(verdict: Verdict) -> str:
    """The title of the grid: how many sentences the book does not clearly support, or that the answer has no sentence
    that needs support."""
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
        return f"{none_}{subject} is clearly supported by the book"
    sentences = one if count == 1 else f"{open_count} of {count} sentences"
    return f"{sentences}{subject} {'is' if open_count == 1 else 'are'} not clearly supported by the book"


def grid_html(verdict: Verdict, preset: Preset) -> str:
    """The grid as HTML, which the keyboard can focus and scroll: a row for each sentence, a column for each passage."""
    judgement = verdict.round.case.judgement
    support = _support(verdict, preset)
    headers = [_tag("th", IN_ALL, f"needs {support[0]}" if support else "", _DECIDES)]
    for n, passage in enumerate(verdict.round.case.passages):
        page = verdict.page_of(n)
        hover = with_page(passage, page)
        headers.append(_tag("th", marked_page(n + 1, page), shorten(in_short(passage), 12), hover))
    headers += [_tag("th", "a language model", "says yes", judgement.by)] if judgement else []
    rows = []
    for n, (s, row) in enumerate(zip(verdict.sentences, cells(verdict, preset)[:MAX_CELLS], strict=False)):
        row += [yes_cell(judgement.yes[n])] if judgement else []
        text = f"S{n + 1} {''.join(f'[{c}]' for c in s.citations)} {shorten(s.text, 44)}"
        in_all = "says nothing" if s.abstains else "✓ Supported" if s.supported else "✗ Not supported"
        head = _tag("td", in_all, support[1][n] if support and not s.abstains else "", _DECIDES, "in_all")
        tags = head + "".join(_tag("td", *c) for c in row)
        css_class = "sentence" if s.supported or s.abstains else "sentence fails"
        rows.append(f"<tr>{_tag('th', text, '', s.text, css_class)}{tags}</tr>")
    return (
        '<div class="grid" tabindex="0" role="region" aria-label="Sentences by passages">'
        f'<table aria-label="{escape(title(verdict))}"><thead><tr><th>sentence</th>{"".join(headers)}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _support(verdict: Verdict, preset: Preset) -> tuple[str, list[str]] | None:
    """The limit of the check Support and the probability of each sentence, as texts; None if it does not decide."""
    signals = verdict.round.signals.get("support")
    if signals is None or mode_of(Check.registry["support"], preset) != "blocks":
        return None
    limit = float(Check.registry["support"].bind(preset).min_support)
    return number(limit), [beside(float(p), limit) for p in signals["probability"]]


def _tag(name: str, text: str, subtext: str, hover: str, css_class: str = "") -> str:
    """A table cell as HTML. name: th or td. subtext: small text below `text`. css_class: the CSS class."""
    small = f"<small>{escape(subtext)}</small>" if subtext else ""
    return f'<{name} class="{css_class}" title="{escape(hover)}">{escape(text)}{small}</{name}>'


def marked_page(number: int, page: int) -> str:
    """The number of a passage with its page, such as "[2] p. 5"; without the page if it is 0."""
    return f"[{number}] p. {page}" if page else f"[{number}]"


class Cell(NamedTuple):
    """What a passage says to a sentence. number: the probability of the label; "" if the two were not compared. said:
    on hover. look: CSS class."""

    label: str
    number: str
    said: str
    look: str


def cells(verdict: Verdict, preset: Preset) -> list[list[Cell]]:
    """The cell of each sentence and each passage; empty if no sentence was compared."""
    if (signals := verdict.round.signals.get("entailment")) is None:
        return []
    limit = float(Check.registry["entailment"].bind(preset).nli_threshold)
    probabilities = np.stack([signals[label] for label in LABELS], -1)
    return [
        [cell(p, limit, is_read=bool(j)) for p, j in zip(row, is_read, strict=True)]
        for row, is_read in zip(probabilities, signals["considered"] > 0, strict=True)
    ]


def cell(row: np.ndarray, limit: float, *, is_read: bool) -> Cell:
    """The cell of a sentence and a passage.

    row: P(each NLI label), shape (labels,), NaN if the two were not compared. limit: the limit for the label neutral;
    the probability is rounded so that it stays on its side of the limit. is_read: True if the sentence is judged by
    this passage; else the cell is pale.
    """
    if np.isnan(row).any():
        return Cell("○", "", "Not compared: another passage decides about the sentence", "")
    label, probability = LABELS[int(row.argmax())], float(row.max())
    shown = beside(probability, limit) if label == "neutral" else number(probability)
    said = f"The passage {WORDS[label]}: {', '.join(f'{name} {p:.3f}' for name, p in zip(LABELS, row, strict=True))}"
    return Cell(SHORT[label], shown, said, label if is_read else f"{label} pale")


def yes_cell(yes: float) -> Cell:
    """The cell that shows what a language model says of a sentence. yes: its probability that the passages support
    it."""
    said = f"P(yes) {yes:.3f}, asked of all passages"
    label, look = ("YES", "entailment pale") if yes >= 0.5 else ("NO", "contradiction pale")
    return Cell(label, number(yes), said, look)
