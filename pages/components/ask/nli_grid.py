"""Sentences by passages: what language inference says of each pair."""

import html
from functools import lru_cache

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from core.chain import Verdict
from core.chain.judged_sentences import WORDS
from core.chain.number_format import beside, number
from core.nli import LABELS
from core.thresholds import Preset
from pages.components.shared.asked_question import open_passage
from pages.components.shared.safe_display import plain, shortened

SHORT = {label: label[:3].upper() for label in LABELS}
SHOWN = 40
"""Most sentences that are drawn; a longer answer says how many are left out."""
_COLOURS = ("#00796b", "#66707f", "#c43e00", "#b9d8d4", "#d5d9df", "#f0cdbb")
"""Each label where the verdict reads it, then where it does not."""
_SCALE = [[edge / 6, colour] for n, colour in enumerate(_COLOURS) for edge in (n, n + 1)]


def grid(verdict: Verdict, preset: Preset, part: int = 0) -> None:
    """The picture, with a button for each passage under it; one sentence when there is nothing to draw.

    part: of the question, from 1, when it is only of one.
    """
    signals = verdict.round.signals.get("entailment")
    if signals is None or not verdict.sentences:
        st.caption("No sentence was read against a passage.")
        return
    probabilities = np.stack([signals[label] for label in LABELS], -1)[:SHOWN]
    limit = float(preset.thresholds.get("entailment.nli_threshold", 0.7))
    cells = _cells(probabilities, limit)
    figure = _figure(
        _rows(verdict), _columns(verdict), cells, _hovers(verdict, probabilities),
        tuple(map(tuple, (_places(probabilities) + 3 * (signals["considered"][:SHOWN] == 0)).tolist())),
    )  # fmt: skip
    st.markdown(f"**{title(verdict)}**")
    st.plotly_chart(figure, key="grid", config={"displayModeBar": False}, height=124 + 44 * len(cells))
    st.caption(_legend(len(verdict.sentences)))
    passage_buttons(verdict, part)


def title(verdict: Verdict) -> str:
    """What the picture shows: how many sentences the passages do not say."""
    count, open_ = len(verdict.sentences), len(verdict.sentences) - verdict.supported
    if not open_:
        return "The passages say the only sentence" if count == 1 else f"The passages say all {count} sentences"
    return f"{open_} of {count} sentence{'s' if count > 1 else ''} not said by the passages"


def passage_buttons(verdict: Verdict, part: int) -> None:
    with st.container(horizontal=True, gap="small"):
        for n, evidence in enumerate(verdict.round.case.evidence):
            p = evidence.passage
            st.button(
                plain(f"[{n + 1}] p. {p.page}"), key=f"passage {n}", type="tertiary", on_click=open_passage,
                args=(n, part), help=plain(f"Read the passage of {p.document}, page {p.page}"),
            )  # fmt: skip


def _cells(probabilities: np.ndarray, limit: float) -> tuple[tuple[str, ...], ...]:
    """Label and probability of each pair; neutral ones in digits that do not contradict the neutral limit."""
    return tuple(
        tuple(_cell(LABELS[int(row.argmax())], float(row.max()), limit) for row in rows) for rows in probabilities
    )


def _cell(label: str, probability: float, limit: float) -> str:
    return f"{SHORT[label]}<br>{beside(probability, limit) if label == 'neutral' else number(probability)}"


def _legend(count: int) -> str:
    said = " · ".join(f"{SHORT[label]}: the passage {words}" for label, words in WORDS.items())
    more = f" The first {SHOWN} of {count} sentences are drawn." if count > SHOWN else ""
    return f"{said}. Dark cells: what a sentence is judged by; pale ones only compare.{more}"


def _places(probabilities: np.ndarray) -> np.ndarray:
    return probabilities.argmax(-1)


def _rows(verdict: Verdict) -> tuple[str, ...]:
    """S1 [1]: each sentence by its place and its citations."""
    return tuple(f"S{n + 1} " + "".join(f"[{c}]" for c in s.citations) for n, s in enumerate(verdict.sentences[:SHOWN]))


def _columns(verdict: Verdict) -> tuple[str, ...]:
    """Each passage by its number, page and document."""
    passages = verdict.round.case.passages
    return tuple(
        f"[{n + 1}] p. {p.page}<br>{html.escape(shortened(p.document.removesuffix('.pdf'), 11))}"
        for n, p in enumerate(passages)
    )


def _hovers(verdict: Verdict, probabilities: np.ndarray) -> tuple[tuple[str, ...], ...]:
    """Everything about a pair, escaped: plotly reads tags in what it draws."""
    sentences = [html.escape(shortened(s.text, 120)) for s in verdict.sentences[:SHOWN]]
    where = [html.escape(f"{p.document}, page {p.page}") for p in verdict.round.case.passages]
    return tuple(
        tuple(f"S{s + 1}: {sentences[s]}<br>{where[p]}<br>{_said(row)}" for p, row in enumerate(rows))
        for s, rows in enumerate(probabilities)
    )


def _said(row: np.ndarray) -> str:
    listed = ", ".join(f"{label} {p:.3f}" for label, p in zip(LABELS, row, strict=True))
    return f"The passage {WORDS[LABELS[int(row.argmax())]]}: {listed}"


@lru_cache(maxsize=64)
def _figure(
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    cells: tuple[tuple[str, ...], ...],
    hovers: tuple[tuple[str, ...], ...],
    colours: tuple[tuple[int, ...], ...],
) -> go.Figure:
    heat = go.Heatmap(
        z=colours, text=cells, customdata=hovers, zmin=-0.5, zmax=5.5, colorscale=_SCALE, showscale=False,
        xgap=3, ygap=3, texttemplate="%{text}", textfont={"size": 11}, hovertemplate="%{customdata}<extra></extra>",
    )  # fmt: skip
    figure = go.Figure(heat)
    figure.update_layout(
        margin={"l": 8, "r": 8, "t": 8, "b": 4},
        xaxis={
            "side": "top", "automargin": True, "showgrid": False,
            "tickvals": list(range(len(columns))), "ticktext": columns,
        },
        yaxis={"autorange": "reversed", "tickvals": list(range(len(rows))), "ticktext": rows, "showgrid": False},
    )  # fmt: skip
    return figure
