"""What is drawn on a page beside its letters: grounds, frames and rules."""

import ctypes

import pypdfium2.raw as pdfium

from core.pdf.frame import Frame
from core.pdf.page import Rectangle

_SIMPLE = 24
"""Segments of a path: a rounded box has half as many, what has more is part of a picture."""
_PALE = 15
"""A fill that is nearer to white than this is not seen."""


def paths(page: pdfium.FPDF_PAGE, frame: Frame) -> list[Rectangle]:
    """The bounds of every simple path that is seen, as they are seen."""
    found = []
    for place in range(pdfium.FPDFPage_CountObjects(page)):
        thing = pdfium.FPDFPage_GetObject(page, place)
        edges = [ctypes.c_float() for _ in range(4)]
        if _is_simple(thing) and _shows(thing) and pdfium.FPDFPageObj_GetBounds(thing, *edges):
            found.append(frame.rectangle(*(edge.value for edge in edges)))
    return found


def _is_simple(thing: pdfium.FPDF_PAGEOBJECT) -> bool:
    is_path = pdfium.FPDFPageObj_GetType(thing) == pdfium.FPDF_PAGEOBJ_PATH
    return is_path and pdfium.FPDFPath_CountSegments(thing) <= _SIMPLE


def _shows(path: pdfium.FPDF_PAGEOBJECT) -> bool:
    """Is the path filled with a colour that is not white, or drawn round?"""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    if stroke.value:
        return True
    red, green, blue, opaque = (ctypes.c_uint() for _ in range(4))
    known = pdfium.FPDFPageObj_GetFillColor(path, red, green, blue, opaque)
    return bool(fill.value and known and opaque.value > 0 and min(c.value for c in (red, green, blue)) < 255 - _PALE)
