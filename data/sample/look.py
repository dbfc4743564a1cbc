"""The type and the colours of a chapter."""

from typing import NamedTuple

from data.sample.lettering import Colour, Style
from data.sample.source import Chapter

BLACK: Colour = (0, 0, 0)
GREY: Colour = (120, 120, 120)
PALE: Colour = (222, 222, 222)
_DARK: Colour = (45, 45, 45)
_BLUE: Colour = (0, 98, 140)
_GREEN: Colour = (28, 112, 62)
_PURPLE: Colour = (140, 25, 105)
TINTS: dict[str, Colour] = {"activity": (224, 241, 248), "note": (252, 238, 218)}
EDGES: dict[str, Colour] = {"activity": (20, 105, 145), "note": (176, 98, 14)}
_ACCENTS = {"Mathematics": _BLUE, "Physics": _BLUE, "Biology": _GREEN, "Science": _GREEN}


class Look(NamedTuple):
    """Styles by what they are for; `accent` is the colour of headings and drawings, `pale` a tint of it."""

    accent: Colour
    pale: Colour
    body: Style
    box_title: Style
    heading: Style
    subheading: Style
    caption: Style
    caption_label: Style
    cell: Style
    cell_head: Style
    label: Style


def look_of(chapter: Chapter) -> Look:
    """Two columns take smaller type than one."""
    size = 11.5 if chapter.columns == 1 else 10.2
    accent = _ACCENTS.get(chapter.subject, _PURPLE)
    return Look(
        accent=accent,
        pale=tuple(255 - (255 - part) // 8 for part in accent),
        body=Style("Times", "", size, 1.28 * size),
        box_title=Style("Helvetica", "B", 0.92 * size, 1.3 * size),
        heading=Style("Helvetica", "B", 1.15 * size, 1.45 * size, accent),
        subheading=Style("Helvetica", "B", 0.95 * size, 1.3 * size, _DARK),
        caption=Style("Times", "I", 0.9 * size, 1.1 * size),
        caption_label=Style("Times", "B", 0.9 * size, 1.1 * size),
        cell=Style("Times", "", 0.92 * size, 1.1 * size),
        cell_head=Style("Helvetica", "B", 0.78 * size, 1.1 * size),
        label=Style("Helvetica", "", 0.72 * size, 0.9 * size),
    )
