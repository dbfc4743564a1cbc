"""A chart with its conclusion as the title, its numbers on hover, and a download of its image."""

import html
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import plotly.io as pio
import streamlit as st
from plotly.basedatatypes import BaseFigure

from pages.components.shared.safe_display import plain

GOOD, BAD, QUIET, ACCENT = "#00897b", "#c43e00", "#8a93a1", "#4f83e3"
"""Teal, vermilion, grey, and an accent that is readable in the light and the dark theme."""
SIDES = (58, 48)
"""Left and bottom margin in pixels, with room for three-digit numbers and a title on each axis."""
_IMAGE, _LINE = {"width": 900, "height": 500}, 100
"""The size of a downloaded image in pixels, whatever the width of the page, and the maximum characters of a line of its
title, which fit that width."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One chart.

    name: of the downloaded image. title: a sentence that says what the chart shows. traces, layout: for plotly. note:
    how to read it, shown below. height: in pixels, without the title of the image. beside: left and bottom margin in
    pixels for the axis labels; with None, plotly measures them and draws the chart twice. lines: plotly shapes, such as
    from `upright`.
    """

    name: str
    title: str
    traces: Sequence[Any]
    note: str = ""
    height: int = 300
    beside: tuple[int, int] | None = None
    layout: dict[str, Any] = field(default_factory=dict)
    lines: Sequence[dict[str, Any]] = ()


class _PlainFigure(BaseFigure):
    """A plotly figure of plain dictionaries that are not validated, which saves 15 ms a chart; a test validates them
    instead."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self.__dict__["_spec"] = spec

    def to_dict(self) -> dict[str, Any]:
        return self._spec


def trace(kind: str, **about: Any) -> dict[str, Any]:
    """A plotly trace of this type as a dictionary. about: its properties."""
    return {"type": kind, **about}


def picture(chart: Picture, on_press: Callable[[], None] | None = None) -> None:
    """Draw a chart under its title, with a button for its image in the corner.

    on_press: called when a point is pressed; the state of the chart, "picture NAME", then has the point.

    The title is text of the page, which wraps at any width. Plotly has it once more, for the image alone: the style
    sheet hides that one.
    """
    title = wrap_title(chart.title)
    left_margin, bottom_margin = chart.beside or (8, 8)
    top_margin = 18 * (title.count("<br>") + 1) + 14
    layout = {
        "title": {
            "text": title, "font": {"size": 14}, "x": 0, "xref": "container", "y": 1, "yref": "container",
            "yanchor": "top", "pad": {"t": 6, "l": 8},
        },
        "margin": {"l": left_margin, "r": 14, "t": top_margin, "b": bottom_margin}, "hoverlabel": {"align": "left"},
        "showlegend": False, "template": _template(), "shapes": list(chart.lines),
    } | chart.layout  # fmt: skip
    if chart.beside:
        layout |= {axis: layout.get(axis, {}) | {"automargin": False} for axis in ("xaxis", "yaxis")}
    config = {
        "displayModeBar": True, "displaylogo": False, "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "png", "filename": chart.name, "scale": 2, **_IMAGE},
    }  # fmt: skip
    with st.container(gap=None):
        st.markdown(f"**{plain(chart.title)}**")
        st.plotly_chart(
            _PlainFigure({"data": list(chart.traces), "layout": layout}), key=f"picture {chart.name}",
            height=chart.height + top_margin, config=config, alt=chart.title,
            on_select=on_press or "ignore", selection_mode="points",
        )  # fmt: skip
    if chart.note:
        st.caption(plain(chart.note))


def wrap_title(title: str) -> str:
    """`title` broken into lines and escaped, since plotly interprets HTML tags in text."""
    return "<br>".join(html.escape(line, quote=False) for line in textwrap.wrap(title, _LINE, break_on_hyphens=False))


def upright(x: float, colour: str, dash: str = "solid") -> dict[str, Any]:
    """A vertical line through the whole chart at `x`, as a plotly shape. dash: plotly's name of the line style."""
    return {
        "type": "line", "xref": "x", "yref": "paper", "x0": x, "x1": x, "y0": 0, "y1": 1,
        "line": {"color": colour, "width": 2, "dash": dash},
    }  # fmt: skip


@lru_cache(maxsize=1)
def _template() -> dict[str, Any]:
    """Streamlit's plotly template."""
    return pio.templates[pio.templates.default].to_plotly_json()
