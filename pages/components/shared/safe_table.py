"""A table whose own download, which leaves formulas as they are, is not offered."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pandas as pd
import streamlit as st

ROW = 35
"""Pixels of a row."""
_CSS = """
[class*=st-key-safe_table_] button[data-testid=stBaseButton-elementToolbar][aria-label^='Download'] {
  display: none;
}
"""
_no_download = st.components.v2.component(
    "guardrail.safe_table", js="export default function () {}", css=_CSS, isolate_styles=False
)


def safe_table(table: pd.DataFrame, key: str, most: int, columns: dict[str, Any], alt: str) -> None:
    """Draws `table` with at most `most` rows in sight; the others scroll. alt: what it is, for those who hear it."""
    with without_download(key):
        st.dataframe(
            table, key=key, hide_index=True, column_config=columns, placeholder="", alt=alt,
            height=ROW * (1 + min(max(1, len(table)), most)) + 3,
        )  # fmt: skip


@contextmanager
def without_download(key: str) -> Iterator[None]:
    """A container in which no table offers its own download; key: a name of its own on the page."""
    with st.container(key=f"safe_table_{key}", gap=None):
        yield
        _no_download(key=f"no download {key}")
