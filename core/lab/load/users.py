"""Many people at once, each on a page of their own: `python -m core.lab.load.users --users 20`.

Each asks again and again, about an answer that holds a word of their own, and moves a slider in between, with a
person's pauses. Whatever any of them sees of another is an error; so is a slider that stands where nobody moved it.
Twenty browsers would take this machine to themselves, so these people speak Streamlit's protocol without one.
"""

import argparse
import asyncio
import math
import random
import re
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.lab.bench.app_in_browser import served
from core.lab.load.page_socket import SocketPage, words
from pages.components.ask.asking import ANSWER_SOURCES

SLIDER, STEP, STANDS = "Mean of the best three", 0.01, 0.6
"""The slider's label, its step, and its value at the start."""
CORRECTION = "Auto-correct"
QUESTION = "How fast does sound travel in water?"
"""Without correction, the pasted answer is delivered in part, so that its omitted sentence is shown on the page."""
IN_LINE = "in line"
"""Text on the page of a user who waits for others."""
MOVES = 8
"""Number of slider moves after each question."""
PAUSE = (1.0, 3.0)
"""Minimum and maximum seconds between two moves."""
_PATIENCE = 120.0
_WORD = re.compile(r"zebra[a-z]{4}\d*")


@dataclass
class User:
    """One user. word: occurs only in the answers pasted by this user. waits: seconds for each answer. moves: in
    milliseconds. feedback_times: seconds until each question was answered, or its position in the queue was drawn.
    """

    number: int
    page: SocketPage
    waits: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    feedback_times: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    slider_value: float = STANDS

    @property
    def word(self) -> str:
        letters = (self.number // 26**k % 26 for k in range(4))
        return "zebra" + "".join(chr(ord("a") + n) for n in letters)

    @property
    def last(self) -> str:
        """The word with the number of the last question."""
        return f"{self.word}{len(self.waits)}"

    async def ask(self) -> None:
        """Paste an answer with this user's word and the number of the question, and wait for the verdict."""
        page, mine = self.page, f"{self.word}{len(self.waits) + 1}"
        await page.set(page.widget("selectbox", "Answer by"), ANSWER_SOURCES["pasted"])
        answer = f"A {mine} lives in the water. Sound travels in water."
        await page.set(page.widget("text_area", "Answer to judge"), answer)
        page.hold(page.widget("text_input", "Question"), QUESTION)
        started, page.awaited = time.perf_counter(), IN_LINE
        await page.run(pressed=page.widget("button", "Ask"))
        self.waits.append(time.perf_counter() - started)
        self.feedback_times.append(min(self.waits[-1], (page.met or math.inf) - started))
        self.verify_page()

    async def move(self, steps: int) -> None:
        """Move the slider by `steps`, and store the milliseconds until everything is drawn."""
        self.slider_value = round(self.slider_value + steps * STEP, 2)
        started = time.perf_counter()
        await self.page.set(self.page.widget("slider", SLIDER), [self.slider_value])
        self.moves.append(1000 * (time.perf_counter() - started))
        self.verify_page()

    def verify_page(self) -> None:
        """Check that the page shows no other user's word, this user's last answer, and the limit's last value."""
        elements = self.page.elements.values()
        words_on_page = {word for element in elements for word in _WORD.findall(words(element))}
        if words_on_page != {self.last}:
            self.errors.append(f"user {self.number} sees {sorted(words_on_page)} instead of {self.last}")
        if any(element.WhichOneof("type") == "exception" for element in elements):
            self.errors.append(f"user {self.number} sees a traceback")
        limit = f"needs {self.slider_value:.2f}"
        if self.moves and not self.page.says(limit):
            self.errors.append(f"no check of user {self.number} asks for {limit}")

    async def use_app(self, until: float, chance: random.Random) -> None:
        """Ask and move the slider until `until`. Anything that takes too long for a person is an error."""
        while time.monotonic() < until:
            await asyncio.wait_for(self.ask(), _PATIENCE)
            for n in range(MOVES):
                await asyncio.sleep(chance.uniform(*PAUSE))
                await asyncio.wait_for(self.move(1 if n % 4 < 2 else -1), _PATIENCE)


async def run_users(address: str, count: int, seconds: float, first: int = 0) -> list[User]:
    """Run `count` users for `seconds`; all start at the same time, once all have opened the page.

    first: number of the first user. A number that was used on this server before asks what the models remember.
    """
    users = [User(number, await SocketPage.open_page(address)) for number in range(first, first + count)]
    for user in users:
        await user.page.set(user.page.widget("button_group", "Limits"), ["All"])
        await user.page.set(user.page.widget("checkbox", CORRECTION), False)
    until = time.monotonic() + seconds
    lives = [user.use_app(until, random.Random(user.number)) for user in users]
    for user, ended in zip(users, await asyncio.gather(*lives, return_exceptions=True), strict=True):
        if ended is not None:
            user.errors.append(f"user {user.number}: {type(ended).__name__} {ended}")
        await user.page.close()
    return users


def summary_text(users: list[User]) -> str:
    """A summary, and each error on a line of its own."""
    errors = [error for user in users for error in user.errors]
    waits, heard, moves = (
        [x for user in users for x in getattr(user, name)] for name in ("waits", "feedback_times", "moves")
    )
    head = f"{len(users)} at once: {len(waits)} questions{_times(waits, 's')}, answered or told their place"
    head += f"{_times(heard, 's')}, {len(moves)} moves{_times(moves, 'ms')}"
    return "\n".join([f"{head}; {len(errors)} errors", *errors])


def figures(users: list[User]) -> dict[str, Any]:
    """Seconds until an answer, milliseconds until a move is drawn, and the number of errors, over all users."""
    waits, moves = ([x for user in users for x in getattr(user, name)] for name in ("waits", "moves"))
    return {
        "count": len(users), "n": len(waits), "median_s": float(np.median(waits)),
        "p95_s": float(np.percentile(waits, 95)), "moves": len(moves), "move_median_ms": float(np.median(moves)),
        "move_p95_ms": float(np.percentile(moves, 95)), "errors": sum(len(user.errors) for user in users),
    }  # fmt: skip


def _times(times: list[float], unit: str) -> str:
    if not times:
        return ""
    return f" (median {np.median(times):.4g} {unit}, p95 {np.percentile(times, 95):.4g} {unit}, most {max(times):.4g} {unit})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, served("app.py", Path(folder)) as address:
        print(summary_text(asyncio.run(run_users(address, 1, min(60.0, options.seconds)))), flush=True)
        print(summary_text(asyncio.run(run_users(address, options.users, options.seconds, first=1))), flush=True)


if __name__ == "__main__":
    main()
