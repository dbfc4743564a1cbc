"""What of a page is seen, and where: from the left and from the top of its crop box, turned as the file says."""

import math
from dataclasses import dataclass
from functools import cached_property

import pypdfium2

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

    def is_upright(self, angle: float, most: float = 0.05) -> bool:
        """Is a letter that the file turns by `angle` (radians, to the right) seen upright, but for `most`?"""
        lean = (angle + self.quarters * _RIGHT) % math.tau
        return min(lean, math.tau - lean) <= most


def frame(page: pypdfium2.PdfPage) -> Frame:
    """What is seen of a page: its crop box, as far as the sheet goes."""
    left, bottom, right, top = page.get_bbox()
    return Frame(left=left, bottom=bottom, right=right, top=top, quarters=page.get_rotation() // 90 % 4)
