"""The date that a command stores with its figures."""

import time
from collections.abc import Mapping
from typing import Any

DATE = "date"
"""The key of the date among stored figures."""


def dated(figures: Mapping[str, Any]) -> dict[str, Any]:
    """`figures` with the date of today, YYYY-MM-DD."""
    return {DATE: time.strftime("%Y-%m-%d"), **without_date(figures)}


def without_date(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Stored figures without their date."""
    return {name: figures for name, figures in stored.items() if name != DATE}
