"""The visible part of a page: the area within its crop box, and the letters that can be seen in it.

A letter that a person cannot see is no evidence, whatever the file says.
"""

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
    """The visible part of the page in the file's plane (left, bottom, right, top in points), and its rotation in
    quarter turns clockwise.
    """

    left: float
    bottom: float
    right: float
    top: float
    quarters: int = 0

    @cached_property
    def size(self) -> tuple[float, float]:
        """Width and height of the visible page (points)."""
        wide, high = self.right - self.left, self.top - self.bottom
        return (high, wide) if self.quarters % 2 else (wide, high)

    def visible_point(self, x: float, y: float) -> tuple[float, float]:
        """Convert a point of the file's plane, in which y grows upwards, to (points from the left, points from the top)
        of the visible page.
        """
        turned = (
            (x - self.left, self.top - y),
            (y - self.bottom, x - self.left),
            (self.right - x, y - self.bottom),
            (self.top - y, self.right - x),
        )
        return turned[self.quarters]

    def rectangle(self, left: float, bottom: float, right: float, top: float) -> Rectangle:
        """Convert an area of the file's plane to left, top, right, bottom on the visible page."""
        if not self.quarters:  # nearly every page
            return left - self.left, self.top - top, right - self.left, self.top - bottom
        (x, y), (u, v) = self.visible_point(left, bottom), self.visible_point(right, top)
        return min(x, u), min(y, v), max(x, u), max(y, v)

    def turn_of(self, angle: float, tolerance: float = 0.05) -> int | None:
        """Quarter turns clockwise of a letter on the visible page.

        angle: of the letter in the file (radians clockwise). None if the result is more than `tolerance` radians from a
        quarter turn.
        """
        quarters = angle / _RIGHT + self.quarters
        return round(quarters) % 4 if abs(quarters - round(quarters)) * _RIGHT <= tolerance else None


def frame(page: pypdfium2.PdfPage) -> Frame:
    """The visible part of a page: its crop box within its sheet."""
    left, bottom, right, top = page.get_bbox()
    return Frame(left=left, bottom=bottom, right=right, top=top, quarters=page.get_rotation() // 90 % 4)


PALE = 15
"""Maximum difference from white (of 255) at which a colour counts as invisible on white; also the opacity below which
one does.
"""
_LEAST = 2.0  # points: smaller letters cannot be read, and a smaller object covers none
_UNSEEN = (3, 7)  # rendering modes that draw nothing: the text of a scan has one of them under the picture
_FILL_MODES = (0, 4)  # rendering modes that draw letters in their fill colour alone
_SEGMENTS = 24  # of a path: a rounded box has half as many, and a path with more is part of a picture
_SCALE, _WIDEST = 1.5, 2000.0  # pixels a point, and largest width or height of a rendering in pixels
_CONTRAST = 16  # of 255: minimum change of grey by a visible letter, or contrast of its area in a scan


class Ink(NamedTuple):
    """How a text object is drawn. unseen: it is not drawn. pale: its colour is nearly white or transparent. covered:
    something else may be drawn over it.
    """

    unseen: bool
    pale: bool
    covered: bool


_PLAIN = Ink(False, False, False)


class Sight:
    """Decides which letters of one page are visible.

    doubts_all: True for a file with layers, in which any letter may be switched off. hidden: number of letters for
    which `shows` returned False. paths: bounds of every simple visible path.
    """

    def __init__(self, page: pypdfium2.PdfPage, frame: Frame, *, doubts_all: bool = False) -> None:
        self._page, self._frame, self._doubts_all = page, frame, doubts_all
        self._pieces: dict[bytes, tuple[int, pdfium.FPDF_PAGEOBJECT]] = {}  # each with its drawing order
        self._inks: dict[bytes, Ink] = {}
        self._covers: list[tuple[int, Rectangle]] = []
        self.paths: list[Rectangle] = []
        for order in range(pdfium.FPDFPage_CountObjects(page.raw)):
            # The text of a group has the drawing order of its group.
            page_object = pdfium.FPDFPage_GetObject(page.raw, order)
            kind = pdfium.FPDFPageObj_GetType(page_object)
            if kind in (pdfium.FPDF_PAGEOBJ_TEXT, pdfium.FPDF_PAGEOBJ_FORM):
                self._pieces |= {bytes(piece): (order, piece) for piece in _texts(page_object)}
            if kind != pdfium.FPDF_PAGEOBJ_TEXT:
                self._note(page_object, kind, order)
        self.hidden = 0

    def ink(self, piece: pdfium.FPDF_PAGEOBJECT) -> Ink:
        """Return how a text object of the page is drawn; computed once for each object."""
        ink = self._inks.get(bytes(piece))
        if ink is None:
            mode = pdfium.FPDFTextObj_GetTextRenderMode(piece)
            ink = Ink(
                mode in _UNSEEN, mode in _FILL_MODES and _is_pale(piece), self._doubts_all or self._is_covered(piece)
            )
            self._inks[bytes(piece)] = ink
        return ink

    def shows(self, box: Rectangle, ink: Ink) -> bool:
        """True if a letter with this box and ink is visible. A hidden one is counted in `hidden`."""
        (left, top, right, bottom), (wide, high) = box, self._frame.size
        is_on_page = -1 <= left <= wide + 1 and -1 <= top <= high + 1
        is_large = max(right - left, bottom - top) >= _LEAST
        is_visible = is_large and is_on_page
        if is_visible and ink != _PLAIN:
            # Rendering shows the letter, or a scanned image shows one in its box.
            x, y = (left + right) / 2, (top + bottom) / 2
            is_visible = not ink.unseen and self._shades(self._difference, box)[1] >= _CONTRAST
            if not is_visible and not ink.pale and any(a <= x <= c and b <= y <= d for a, b, c, d in self._images):
                darkest, lightest = self._shades(self._whole, box)
                is_visible = lightest - darkest >= _CONTRAST
        self.hidden += not is_visible
        return is_visible

    def _note(self, page_object: pdfium.FPDF_PAGEOBJECT, kind: int, order: int) -> None:
        """Register an object that is no text: record whether it may cover text and whether it is a simple path. kind:
        pdfium's type of the object. order: its drawing order.
        """
        left, bottom, right, top = bounds = _bounds(page_object)
        wide, high, covers = right - left, top - bottom, True
        if max(wide, high) < _LEAST:  # the dots of a picture: some pages have ten thousands
            return
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            fill, stroke, width = ctypes.c_int(), ctypes.c_int(), ctypes.c_float()
            pdfium.FPDFPath_GetDrawMode(page_object, fill, stroke)
            pdfium.FPDFPageObj_GetStrokeWidth(page_object, width)
            covers = fill.value or width.value >= _LEAST
            if pdfium.FPDFPath_CountSegments(page_object) <= _SEGMENTS and (
                stroke.value or (fill.value and not _is_pale(page_object))
            ):
                self.paths.append(self._frame.rectangle(*bounds))
        if covers and self._pieces and min(wide, high) >= _LEAST:
            self._covers.append((order, bounds))

    def _is_covered(self, piece: pdfium.FPDF_PAGEOBJECT) -> bool:
        """True if anything other than text is drawn in the area of this text object after it; rendering then decides
        whether the text is hidden.

        pdfium gives the text in a group the bounds of the group, so that everything drawn later over the group counts.
        """
        order, _ = self._pieces.get(bytes(piece), (None, None))
        if order is None:
            return False
        later = self._covers[bisect_right(self._covers, order, key=itemgetter(0)) :]
        if pdfium.FPDFPageObj_GetType(pdfium.FPDFPage_GetObject(self._page.raw, order)) != pdfium.FPDF_PAGEOBJ_TEXT:
            return bool(later)
        left, bottom, right, top = _bounds(piece)
        return any(x < right and left < u and y < top and bottom < v for _, (x, y, u, v) in later)

    @cached_property
    def _images(self) -> list[Rectangle]:
        bounds = (image.get_bounds() for image in self._page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,)))
        return [self._frame.rectangle(*edges) for edges in bounds]

    @cached_property
    def _whole(self) -> Image.Image:
        """The page as it is rendered, in grey."""
        return self._page.render(scale=self._scale, grayscale=True).to_pil().convert("L")

    @cached_property
    def _difference(self) -> Image.Image:
        """The difference, in grey, between the page with and without all text that may be hidden: bright where that
        text is visible.
        """
        whole, doubtful = self._whole, [piece for _, piece in self._pieces.values() if any(self.ink(piece))]
        for piece in doubtful:
            pdfium.FPDFPageObj_SetIsActive(piece, False)
        without = self._page.render(scale=self._scale, grayscale=True).to_pil().convert("L")
        for piece in doubtful:
            pdfium.FPDFPageObj_SetIsActive(piece, True)
        return ImageChops.difference(whole, without)

    @property
    def _scale(self) -> float:
        return min(_SCALE, _WIDEST / max(self._frame.size))

    def _shades(self, picture: Image.Image, box: Rectangle) -> tuple[int, int]:
        """The darkest and the lightest pixel of `box`, 0 to 255."""
        left, top, right, bottom = (round(edge * self._scale) for edge in box)
        darkest, lightest = picture.crop((left, top, max(left + 1, right), max(top + 1, bottom))).getextrema()
        return int(darkest), int(lightest)


def _texts(page_object: pdfium.FPDF_PAGEOBJECT, depth: int = 5) -> Iterator[pdfium.FPDF_PAGEOBJECT]:
    """Yield a text object, or the text objects in a group and in its groups down to `depth`."""
    kind = pdfium.FPDFPageObj_GetType(page_object)
    if kind == pdfium.FPDF_PAGEOBJ_TEXT:
        yield page_object
    elif depth and kind == pdfium.FPDF_PAGEOBJ_FORM:
        for index in range(pdfium.FPDFFormObj_CountObjects(page_object)):
            yield from _texts(pdfium.FPDFFormObj_GetObject(page_object, index), depth - 1)


def _is_pale(page_object: pdfium.FPDF_PAGEOBJECT) -> bool:
    """True if an object is filled with a colour close to white, or with a transparent one."""
    red, green, blue, opaque = (ctypes.c_uint() for _ in range(4))
    has_color = pdfium.FPDFPageObj_GetFillColor(page_object, red, green, blue, opaque)
    return bool(has_color) and (min(red.value, green.value, blue.value) >= 255 - PALE or opaque.value < PALE)


def _bounds(page_object: pdfium.FPDF_PAGEOBJECT) -> Rectangle:
    """Left, bottom, right and top of an object in the file's plane (points)."""
    left, bottom, right, top = ctypes.c_float(), ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    pdfium.FPDFPageObj_GetBounds(page_object, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value
