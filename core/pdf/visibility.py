"""Whether a page shows its letters: what a reader of the page cannot see is no evidence, whatever the file says."""

import ctypes
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops

from core.pdf.frame import Frame
from core.pdf.page import Rectangle

PALE = 15
"""A colour that is nearer to white than this is not seen on white."""
_LEAST = 2.0  # points: smaller letters cannot be read, and a smaller thing covers none
_UNSEEN = (3, 7)  # rendering modes that draw nothing: how the text of a scan lies under its picture
_FILLED = (0, 4)  # and those that draw letters in the colour of their filling alone
_SCALE, _WIDEST = 1.5, 2000.0  # pixels a point, and of a page at most
_CONTRAST = 16  # of 255: what a letter changes of its page, or the pixels of its place in a scan differ by


class Ink(NamedTuple):
    """Is a piece of text drawn not at all, is it as good as white, and is anything drawn over it?"""

    unseen: bool
    pale: bool
    covered: bool


class Sight:
    """One page as it is seen. hidden: how many of the letters that it was asked for are not."""

    def __init__(self, page: pypdfium2.PdfPage, frame: Frame) -> None:
        self._page, self._frame = page, frame
        self._pieces: dict[int, pdfium.FPDF_PAGEOBJECT] = {}
        self._places: dict[int, int] = {}
        self._covers: list[tuple[int, Rectangle]] = []
        for place in range(pdfium.FPDFPage_CountObjects(page.raw)):
            self._add(pdfium.FPDFPage_GetObject(page.raw, place), place)
        self.hidden = 0

    def ink(self, piece: pdfium.FPDF_PAGEOBJECT) -> Ink:
        """How a text object of the page is inked."""
        mode = pdfium.FPDFTextObj_GetTextRenderMode(piece)
        red, green, blue, opaque = (ctypes.c_uint() for _ in range(4))
        known = pdfium.FPDFPageObj_GetFillColor(piece, red, green, blue, opaque)
        pale = min(c.value for c in (red, green, blue)) >= 255 - PALE or opaque.value < PALE
        return Ink(mode in _UNSEEN, bool(known and pale and mode in _FILLED), self._is_covered(piece))

    def shows(self, box: Rectangle, ink: Ink) -> bool:
        """Is a letter in `box`, so inked, seen? One that is not is counted."""
        left, top, _, bottom = box
        seen = bottom - top >= _LEAST and self._frame.holds(left, top) and self._is_drawn(box, ink)
        self.hidden += not seen
        return seen

    def _is_drawn(self, box: Rectangle, ink: Ink) -> bool:
        if not any(ink) or (not ink.unseen and self._shades(self._missed, box)[1] >= _CONTRAST):
            return True
        if ink.pale or not any(_holds(image, box) for image in self._images):
            return False
        darkest, lightest = self._shades(self._whole, box)
        return lightest - darkest >= _CONTRAST

    def _add(self, thing: pdfium.FPDF_PAGEOBJECT, place: int) -> None:
        """Note a thing that is drawn as the `place`th; the text of a group has the place of its group."""
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            self._pieces[_address(thing)], self._places[_address(thing)] = thing, place
            return
        if self._pieces and (bounds := _cover(thing, kind)):
            self._covers.append((place, bounds))
        for piece in _texts(thing):
            self._pieces[_address(piece)], self._places[_address(piece)] = piece, place

    def _is_covered(self, piece: pdfium.FPDF_PAGEOBJECT) -> bool:
        """Is anything but text drawn later where this piece is? Whether it hides it, only a rendering tells.

        The bounds of text in a group are the group's own, so of these all that comes later may cover them.
        """
        place = self._places.get(_address(piece))
        if place is None:
            return False
        later = self._covers[bisect_right(self._covers, place, key=itemgetter(0)) :]
        if pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(self._page.raw, place)) != pdfium.FPDF_PAGEOBJ_TEXT:
            return bool(later)
        left, bottom, right, top = _bounds(piece)
        return any(x < right and left < u and y < top and bottom < v for _, (x, y, u, v) in later)

    @cached_property
    def _images(self) -> list[Rectangle]:
        bounds = (thing.get_bounds() for thing in self._page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,)))
        return [self._frame.rectangle(*edges) for edges in bounds]

    @cached_property
    def _whole(self) -> Image.Image:
        """The page as it is seen, in grey."""
        return self._page.render(scale=self._scale, grayscale=True).to_pil().convert("L")

    @cached_property
    def _missed(self) -> Image.Image:
        """What the page would lack without all text that may be hidden: bright where that text is seen after all."""
        doubtful = [piece for piece in self._pieces.values() if any(self.ink(piece))]
        try:
            for piece in doubtful:
                pdfium.FPDFPageObj_SetIsActive(piece, False)
            without = self._page.render(scale=self._scale, grayscale=True).to_pil().convert("L")
        finally:
            for piece in doubtful:
                pdfium.FPDFPageObj_SetIsActive(piece, True)
        return ImageChops.difference(self._whole, without)

    @property
    def _scale(self) -> float:
        return min(_SCALE, _WIDEST / max(self._frame.size))

    def _shades(self, picture: Image.Image, box: Rectangle) -> tuple[int, int]:
        """The darkest and the lightest pixel of `box`, 0 to 255."""
        left, top, right, bottom = (round(edge * self._scale) for edge in box)
        darkest, lightest = picture.crop((left, top, max(left + 1, right), max(top + 1, bottom))).getextrema()
        return int(darkest), int(lightest)


def _address(thing: pdfium.FPDF_PAGEOBJECT) -> int:
    return ctypes.cast(thing, ctypes.c_void_p).value or 0


def _texts(thing: pdfium.FPDF_PAGEOBJECT, depth: int = 5) -> Iterator[pdfium.FPDF_PAGEOBJECT]:
    """The text of a group, and of the groups in it."""
    if not depth or pdfium.FPDFPageObj_GetType(thing) != pdfium.FPDF_PAGEOBJ_FORM:
        return
    for place in range(pdfium.FPDFFormObj_CountObjects(thing)):
        inner = pdfium.FPDFFormObj_GetObject(thing, place)
        if pdfium.FPDFPageObj_GetType(inner) == pdfium.FPDF_PAGEOBJ_TEXT:
            yield inner
        yield from _texts(inner, depth - 1)


def _cover(thing: pdfium.FPDF_PAGEOBJECT, kind: int) -> Rectangle | None:
    """The bounds of what may lie over text: all but text, fine lines and what is too small; in the file's plane."""
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        fill, stroke, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
        pdfium.FPDFPath_GetDrawMode(thing, fill, stroke)
        pdfium.FPDFPageObj_GetStrokeWidth(thing, width)
        if not fill.value and width.value < _LEAST:
            return None
    left, bottom, right, top = bounds = _bounds(thing)
    return bounds if right - left >= _LEAST and top - bottom >= _LEAST else None


def _bounds(thing: pdfium.FPDF_PAGEOBJECT) -> Rectangle:
    """Left, bottom, right and top in the file's plane."""
    left, bottom, right, top = ctypes.c_float(), ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFPageObj_GetBounds(thing, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def _holds(image: Rectangle, box: Rectangle) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return image[0] <= x <= image[2] and image[1] <= y <= image[3]
