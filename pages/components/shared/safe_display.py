"""Draw text of books, users and the core literally: escaped Markdown and HTML, errors, and tables without an unsafe
download."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.reports.templating import TEMPLATES

MARKUP: Any = TEMPLATES.from_string(Path(__file__).with_name("markup.html").read_text("utf-8")).module
"""HTML by macros, which escape every text: `MARKUP.bars(parts)`."""
_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:^=&])")
_JOINER = "\u2060"
"""Word joiner: has no width, and stops Streamlit from replacing icons, emoji, arrows and addresses after Markdown."""
_MARKUP = re.compile(r"[:@<>=~-](?=\S)|www(?=\.)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """`text` escaped for Markdown, so that it is shown literally.

    White space is collapsed to single spaces: a new line could begin a list or a block of code.
    """
    line = " ".join(text.split())
    return _MARKDOWN.sub(r"\\\1", _MARKUP.sub(rf"\g<0>{_JOINER}", line))


def shorten(text: str, max_characters: int) -> str:
    """`text` cut to at most `max_characters` characters; an ellipsis marks the cut."""
    return text if len(text) <= max_characters else text[: max_characters - 1].rstrip() + "…"


def all_of(count: int) -> str:
    """Every one of `count` sentences: "the one sentence", "both sentences", "all 3 sentences"."""
    return {1: "the one sentence", 2: "both sentences"}.get(count, f"all {count} sentences")


def show(error: Exception | str) -> None:
    """Draw the message of an error."""
    st.error(plain(str(error)), icon=":material/error:")


def frame_of(columns: Mapping[str, Sequence[Any]], kinds: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """A data frame of text columns; a cell may be None. kinds: the pandas dtype of each column that is no text."""
    return pd.DataFrame({name: pd.array(cells, dtype=kinds.get(name, "string")) for name, cells in columns.items()})


ROW = 35
"""Height of a table row in pixels."""


def safe_table(
    table: pd.DataFrame, key: str, max_rows: int, columns: dict[str, Any], alt: str,
    on_select: Callable[[], object] | None = None,
) -> None:  # fmt: skip
    """Draw `table` with at most `max_rows` visible rows; the others scroll. alt: its description for screen readers.
    on_select: called when a cell is selected."""
    selection = {"on_select": on_select, "selection_mode": "single-cell"} if on_select else {}
    with without_download(key):
        st.dataframe(
            table, key=key, hide_index=True, column_config=columns, placeholder="", alt=alt,
            height=table_height(len(table), max_rows), **selection,
        )  # fmt: skip


def table_height(rows: int, max_rows: int) -> int:
    """Height in pixels of a table with `rows` rows, at most `max_rows` of them visible."""
    return ROW * (1 + min(max(1, rows), max_rows)) + 3


def without_download(key: str) -> DeltaGenerator:
    """A container that hides the download button of the tables in it, since such a download is unsafe. key: unique on
    the page."""
    return st.container(key=f"safe_table_{key}", gap=None)
