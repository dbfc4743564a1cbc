"""Which checks change an outcome, and which never do."""

from collections.abc import Sequence

import plotly.graph_objects as go

from core.chain.check_results import check_named
from core.tuning.curves import Share
from pages.components.shared.figure import ACCENT, QUIET, Picture
from pages.components.shared.plain_text import counted

_COLUMNS = ("check", "what holds when it passes", "cases that it alone decides")


def checks_picture(shares: Sequence[Share]) -> Picture:
    """A bar for each check that blocks: the cases that would end otherwise if it only watched."""
    names = [check_named(s.check).plain for s in shares]
    bars = go.Bar(
        x=[s.alone for s in shares], y=names, orientation="h", text=[str(s.alone) for s in shares],
        textposition="outside", cliponaxis=False, marker={"color": [ACCENT if s.alone else QUIET for s in shares]},
        customdata=[s.check for s in shares],
        hovertemplate="%{y} (%{customdata}): %{x} cases end otherwise if it only watches<extra></extra>",
    )  # fmt: skip
    return Picture(
        name="checks", title=title(shares), traces=[bars], columns=_COLUMNS, height=60 + 26 * len(shares),
        rows=[(s.check, name, s.alone) for s, name in zip(shares, names, strict=True)],
        note=(
            "A check that changes nothing here is shadowed by another, or guards against what this bank does not hold. "
            "It is no reason to switch it off."
        ),
        layout={
            "xaxis": {"title": {"text": "cases that it alone decides"}, "rangemode": "tozero"},
            "yaxis": {"autorange": "reversed", "automargin": True, "showgrid": False},
        },
    )  # fmt: skip


def title(shares: Sequence[Share]) -> str:
    """How many checks never change an outcome."""
    idle = sum(not s.alone for s in shares)
    if not shares:
        return "No check blocks now, so none can change an outcome"
    if not idle:
        return f"Each of the {counted(len(shares), 'check')} that block decides some case alone"
    return f"{idle} of {counted(len(shares), 'check')} that block never change an outcome on this bank"
