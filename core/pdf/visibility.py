"""What of a page is seen: the part within its crop box, and the letters that it shows there. What a reader of the page
cannot see is no evidence, whatever the file says."""

import ctypes
import math
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image, ImageChops

from core.pdf.page import Rectangle

_RIGHT = math.pi / 2


@dataclass(frozen=True, kw_only=True)
class Frame:
    """What of the file's plane is seen (left, bottom, right, top), and how many quarters it is turned to the right."""

    left: float
    bottom: float
    right: float
    top: float
    quarters: int = 0

    @cached_property
    def size(self) -> tuple[float, float]:
        """Width and height as seen."""
        wide, high = self.right - self.left, self.top - self.bottom
        return (high, wide) if self.quarters % 2 else (wide, high)

    def seen(self, x: float, y: float) -> tuple[float, float]:
        """A point of the file's plane, in which y grows upwards, as it is seen: from the left and from the top."""
        turned = (
            (x - self.left, self.top - y),
            (y - self.bottom, x - self.left),
            (self.right - x, y - self.bottom),
            (self.top - y, self.right - x),
        )
        return turned[self.quarters]

    def rectangle(self, left: float, bottom: float, right: float, top: float) -> Rectangle:
        """An area of the file's plane as it is seen: left, top, right, bottom."""
        if not self.quarters:  # as nearly every page is
            return left - self.left, self.top - top, right - self.left, self.top - bottom
        (x, y), (u, v) = self.seen(left, bottom), self.seen(right, top)
        return min(x, u), min(y, v), max(x, u), max(y, v)

    def holds(self, x: float, y: float) -> bool:
        """Is a point, given as it is seen, within the page?"""
        wide, high = self.size
        return -1 <= x <= wide + 1 and -1 <= y <= high + 1

    def turn_of(self, angle: float, most: float = 0.05) -> int | None:
        """By how many quarters to the right a letter is seen turned that the file turns by `angle` (radians, to the
        right); None where it is more than `most` from any."""
        quarters = angle / _RIGHT + self.quarters
        return round(quarters) % 4 if abs(quarters - round(quarters)) * _RIGHT <= most else None


def frame(page: pypdfium2.PdfPage) -> Frame:
    """What is seen of a page: its crop box, as far as the sheet goes."""
    left, bottom, right, top = page.get_bbox()
    return Frame(left=left, bottom=bottom, right=right, top=top, quarters=page.get_rotation() // 90 % 4)


PALE = 15
"""A colour that is nearer to white than this is not seen on white."""
_LEAST = 2.0  # points: smaller letters cannot be read, and a smaller thing covers none
_UNSEEN = (3, 7)  # rendering modes that draw nothing: how the text of a scan lies under its picture
_FILLED = (0, 4)  # and those that draw letters in the colour of their filling alone
_SEGMENTS = 24  # of a path: a rounded box has half as many, what has more is part of a picture
_SCALE, _WIDEST = 1.5, 2000.0  # pixels a point, and of a page at most
_CONTRAST = 16  # of 255: what a letter changes of its page, or the pixels of its place in a scan differ by


class Ink(NamedTuple):
    """Is a piece of text drawn not at all, is it as good as white, and is anything drawn over it?"""

    unseen: bool
    pale: bool
    covered: bool


_PLAIN = Ink(False, False, False)


class Sight:
    """One page as it is seen.

    hidden: how many of the letters that it was asked for are not. paths: the bounds of every simple path that is seen.
    """

    def __init__(self, page: pypdfium2.PdfPage, frame: Frame) -> None:
        self._page, self._frame = page, frame
        self._pieces: dict[bytes, tuple[int, pdfium.FPDF_PAGEOBJECT]] = {}  # each with its place among what is drawn
        self._inks: dict[bytes, Ink] = {}
        self._covers: list[tuple[int, Rectangle]] = []
        self.paths: list[Rectangle] = []
        for place in range(pdfium.FPDFPage_CountObjects(page.raw)):
            self._add(pdfium.FPDFPage_GetObject(page.raw, place), place)
        self.hidden = 0

    def ink(self, piece: pdfium.FPDF_PAGEOBJECT) -> Ink:
        """How a text object of the page is inked."""
        found = self._inks.get(bytes(piece))
        if found is None:
            found = self._inks[bytes(piece)] = self._ink(piece)
        return found

    def _ink(self, piece: pdfium.FPDF_PAGEOBJECT) -> Ink:
        mode = pdfium.FPDFTextObj_GetTextRenderMode(piece)
        return Ink(mode in _UNSEEN, mode in _FILLED and _is_pale(piece), self._is_covered(piece))

    def shows(self, box: Rectangle, ink: Ink) -> bool:
        """Is a letter in `box`, so inked, seen? One that is not is counted."""
        left, top, right, bottom = box
        seen = (
            max(right - left, bottom - top) >= _LEAST
            and self._frame.holds(left, top)
            and (ink == _PLAIN or self._is_drawn(box, ink))
        )
        self.hidden += not seen
        return seen

    def _is_drawn(self, box: Rectangle, ink: Ink) -> bool:
        if not ink.unseen and self._shades(self._missed, box)[1] >= _CONTRAST:
            return True
        if ink.pale or not any(_holds(image, box) for image in self._images):
            return False
        darkest, lightest = self._shades(self._whole, box)
        return lightest - darkest >= _CONTRAST

    def _add(self, thing: pdfium.FPDF_PAGEOBJECT, place: int) -> None:
        """Note a thing that is drawn as the `place`th; the text of a group has the place of its group."""
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind in (pdfium.FPDF_PAGEOBJ_TEXT, pdfium.FPDF_PAGEOBJ_FORM):
            self._pieces |= {bytes(piece): (place, piece) for piece in _texts(thing)}
        if kind != pdfium.FPDF_PAGEOBJ_TEXT:
            self._note(thing, kind, place)

    def _note(self, thing: pdfium.FPDF_PAGEOBJECT, kind: int, place: int) -> None:
        """Note where a thing is that is no text: whether it may lie over text, and whether it is a simple path."""
        left, bottom, right, top = bounds = _bounds(thing)
        wide, high, covers = right - left, top - bottom, True
        if max(wide, high) < _LEAST:  # the dots of a picture, on some pages by the ten thousand
            return
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            fill, stroke, width = _painted(thing)
            covers = fill or width >= _LEAST
            if pdfium.FPDFPath_CountSegments(thing) <= _SEGMENTS and (stroke or (fill and not _is_pale(thing))):
                self.paths.append(self._frame.rectangle(*bounds))
        if covers and self._pieces and min(wide, high) >= _LEAST:
            self._covers.append((place, bounds))

    def _is_covered(self, piece: pdfium.FPDF_PAGEOBJECT) -> bool:
        """Is anything but text drawn later where this piece is? Whether it hides it, only a rendering tells.

        The bounds of text in a group are the group's own, so of these all that comes later may cover them.
        """
        place, _ = self._pieces.get(bytes(piece), (None, None))
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
        doubtful = [piece for _, piece in self._pieces.values() if any(self.ink(piece))]
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


def _texts(thing: pdfium.FPDF_PAGEOBJECT, depth: int = 5) -> Iterator[pdfium.FPDF_PAGEOBJECT]:
    """A text itself; that of a group, and of the groups in it."""
    kind = pdfium.FPDFPageObj_GetType(thing)
    if kind == pdfium.FPDF_PAGEOBJ_TEXT:
        yield thing
    elif depth and kind == pdfium.FPDF_PAGEOBJ_FORM:
        for place in range(pdfium.FPDFFormObj_CountObjects(thing)):
            yield from _texts(pdfium.FPDFFormObj_GetObject(thing, place), depth - 1)


def _is_pale(thing: pdfium.FPDF_PAGEOBJECT) -> bool:
    """Is a thing filled with what is as good as white, or with nothing that is seen?"""
    red, green, blue, opaque = (ctypes.c_uint() for _ in range(4))
    known = pdfium.FPDFPageObj_GetFillColor(thing, red, green, blue, opaque)
    return bool(known) and (min(red.value, green.value, blue.value) >= 255 - PALE or opaque.value < PALE)


def _painted(path: pdfium.FPDF_PAGEOBJECT) -> tuple[bool, bool, float]:
    """Is a path filled, is it drawn round, and how wide is that line?"""
    fill, stroke, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    pdfium.FPDFPageObj_GetStrokeWidth(path, width)
    return bool(fill.value), bool(stroke.value), width.value


def _bounds(thing: pdfium.FPDF_PAGEOBJECT) -> Rectangle:
    """Left, bottom, right and top in the file's plane."""
    left, bottom, right, top = ctypes.c_float(), ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFPageObj_GetBounds(thing, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def _holds(image: Rectangle, box: Rectangle) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return image[0] <= x <= image[2] and image[1] <= y <= image[3]
