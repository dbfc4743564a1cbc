"""Whether a page shows its letters: what a reader of the page cannot see is no evidence, whatever the file says."""

import ctypes
from functools import cached_property
from typing import NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from core.pdf.frame import Frame
from core.pdf.page import Rectangle

PALE = 15
"""A colour that is nearer to white than this is not seen on white."""
_LEAST = 2.0  # points: smaller letters cannot be read
_UNSEEN = (3, 7)  # rendering modes that draw nothing: how the text of a scan lies under its picture
_FILLED = (0, 4)  # and those that draw letters in the colour of their filling alone
_SCALE, _WIDEST = 1.5, 2000.0  # pixels a point, and of a page at most
_CONTRAST = 16  # of 255: between the lightest and the darkest pixel of the place of a letter


class Ink(NamedTuple):
    """Is a piece of text drawn not at all, and is it as good as white?"""

    unseen: bool
    pale: bool


def ink_of(thing: pdfium.FPDF_PAGEOBJECT) -> Ink:
    """How a text object is inked."""
    mode = pdfium.FPDFTextObj_GetTextRenderMode(thing)
    red, green, blue, opaque = (ctypes.c_uint() for _ in range(4))
    known = pdfium.FPDFPageObj_GetFillColor(thing, red, green, blue, opaque)
    pale = min(c.value for c in (red, green, blue)) >= 255 - PALE or opaque.value < PALE
    return Ink(mode in _UNSEEN, bool(known and pale and mode in _FILLED))


class Sight:
    """One page as it is seen. hidden: how many of the letters that it was asked for are not."""

    def __init__(self, page: pypdfium2.PdfPage, frame: Frame) -> None:
        self._page, self._frame = page, frame
        self.hidden = 0

    def shows(self, box: Rectangle, ink: Ink) -> bool:
        """Is a letter in `box`, so inked, seen? One that is not is counted."""
        left, top, _, bottom = box
        seen = bottom - top >= _LEAST and self._frame.holds(left, top) and self._is_drawn(box, ink)
        self.hidden += not seen
        return seen

    def _is_drawn(self, box: Rectangle, ink: Ink) -> bool:
        if ink.unseen and not any(_holds(image, box) for image in self._images):
            return False
        return not (ink.unseen or ink.pale) or self._has_contrast(box)

    @cached_property
    def _images(self) -> list[Rectangle]:
        bounds = (thing.get_bounds() for thing in self._page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,)))
        return [self._frame.rectangle(*edges) for edges in bounds]

    @cached_property
    def _picture(self) -> tuple[Image.Image, float]:
        scale = min(_SCALE, _WIDEST / max(self._frame.size))
        return self._page.render(scale=scale, grayscale=True).to_pil().convert("L"), scale

    def _has_contrast(self, box: Rectangle) -> bool:
        picture, scale = self._picture
        left, top, right, bottom = (round(edge * scale) for edge in box)
        darkest, lightest = picture.crop((left, top, max(left + 1, right), max(top + 1, bottom))).getextrema()
        return lightest - darkest >= _CONTRAST


def _holds(image: Rectangle, box: Rectangle) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return image[0] <= x <= image[2] and image[1] <= y <= image[3]
