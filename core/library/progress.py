"""How far a document has come, and how long the step will still take."""

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Progress:
    """One report. step: "reading" or "embedding". seconds_left: of this step, from its pace so far.

    page: how many pages are done, not which: pages are read side by side, and passages embedded by length.
    """

    document: str
    page: int
    pages: int
    step: str
    seconds_left: float


Listener = Callable[[Progress], None]


class Pace:
    """Tells a listener, if there is one, how one step of one document comes along."""

    def __init__(self, listener: Listener | None, document: str, step: str) -> None:
        self.listener, self.document, self.step = listener, document, step
        self.began = time.monotonic()

    def tell(self, pages: int, share: float) -> None:
        """`share` of the step is done, in (0, 1], and so is that share of the `pages`."""
        if self.listener:
            left = (time.monotonic() - self.began) * (1 - share) / share
            page = max(1, int(share * pages + 1e-9))
            self.listener(Progress(document=self.document, page=page, pages=pages, step=self.step, seconds_left=left))
