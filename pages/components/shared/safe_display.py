"""What books, people and the core say, drawn as it stands: text, errors, and tables that offer no unsafe download."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.case import CaseError
from core.journal import JournalError
from core.library import LibraryError
from core.models import ModelError
from core.platform.access import AccessError
from core.presets import LinkError
from core.presets.saved import PresetError
from core.settings import SettingError
from core.text.hedges import PatternError
from core.thresholds import ThresholdError
from core.tuning.search import AimError

_MARKDOWN = re.compile(r"([\\`*_{}\[\]()<>#+\-.!|~$:^=&])")
_JOINER = "\u2060"
"""Takes no room and breaks what Streamlit replaces after reading Markdown: icons, emoji, arrows, addresses."""
_REPLACED = re.compile(r"[:@<>=~-](?=\S)|www(?=\.)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """`text` for a place that reads Markdown, so that it looks like `text` and means nothing else.

    White space is folded: a line of its own could begin a list or a block of code.
    """
    folded = " ".join(text.split())
    return _MARKDOWN.sub(r"\\\1", _REPLACED.sub(rf"\g<0>{_JOINER}", folded))


def shortened(text: str, most: int) -> str:
    """`text` in at most `most` characters; what is left out is shown by dots."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def counted(number: int, noun: str) -> str:
    """ "1 page", "2 pages"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


ERRORS = (
    AccessError, AimError, CaseError, JournalError, LibraryError, LinkError, ModelError, PatternError, PresetError,
    SettingError, ThresholdError,
)  # fmt: skip


def show(error: Exception) -> None:
    st.error(plain(str(error)), icon=":material/error:")


def show_outcome(done: Iterable[str], refused: Iterable[Exception], icon: str = ":material/bookmark_added:") -> None:
    """What became of a button that was pressed: a sentence for each thing done, and for each that could not be."""
    for sentence in done:
        st.success(plain(sentence), icon=icon)
    for error in refused:
        show(error)


def frame_of(columns: Mapping[str, Sequence[Any]], kinds: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """What a table shows, column by column, as text; a cell may be missing. kinds: pandas' kind of each other."""
    return pd.DataFrame({name: pd.array(cells, dtype=kinds.get(name, "string")) for name, cells in columns.items()})


ROW = 35
"""Pixels of a row."""


def safe_table(table: pd.DataFrame, key: str, most: int, columns: dict[str, Any], alt: str) -> None:
    """Draws `table` with at most `most` rows in sight; the others scroll. alt: what it is, for those who hear it."""
    with without_download(key):
        st.dataframe(
            table, key=key, hide_index=True, column_config=columns, placeholder="", alt=alt,
            height=table_height(len(table), most),
        )  # fmt: skip


def table_height(rows: int, most: int) -> int:
    """Pixels of a table of so many rows, of which at most `most` are in sight."""
    return ROW * (1 + min(max(1, rows), most)) + 3


def without_download(key: str) -> DeltaGenerator:
    """A container in which no table offers its own download (the style of all pages hides it before any is drawn); key:
    a name of its own on the page."""
    return st.container(key=f"safe_table_{key}", gap=None)
