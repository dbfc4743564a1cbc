"""Many people at once, each on a page of their own: `python -m core.lab.load.users --users 25 50 --processes 1 2 --kill`.

Each asks again and again, about an answer that holds a word of their own, and moves a slider in between, with a
person's pauses. Whatever any of them sees of another is an error; so is a slider that stands where nobody moved it.
Twenty browsers would take this machine to themselves, so these people speak Streamlit's protocol without one.

With --kill, the first of several processes is killed when half the time has passed: its people reload the page,
and ask again.
"""

import argparse
import asyncio
import math
import os
import random
import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import httpx
import numpy as np
from websockets.exceptions import ConnectionClosed, WebSocketException

from core.lab.load.page_socket import SocketPage, words
from core.lab.load.processes import Served, served_by

SLIDER, STEP, STANDS = "Topic match", 0.01, 0.2
"""The slider's label, its step, and its value at the start."""
QUESTION = "How fast does sound travel in water?"
"""The question of all users. The verdict shows every sentence of a pasted answer."""
IN_LINE = "in line"
"""Text on the page of a user whose question waits in the queue."""
MOVES = 8
"""Number of slider moves after each question."""
PAUSE = (1.0, 3.0)
"""Minimum and maximum seconds between two moves."""
_PATIENCE = 120.0
_RETRY_SECONDS = 0.5
"""Seconds between two attempts to open a page that lost its process."""
_WORD = re.compile(r"zebra[a-z]{4}\d*")


@dataclass
class User:
    """One user. word: occurs only in the answers pasted by this user. waits: seconds for each answer. moves: in
    milliseconds. feedback_times: seconds until each question was answered, or its position in the queue was drawn.
    returns: seconds until each page that lost its process was drawn again.
    """

    number: int
    page: SocketPage
    waits: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    feedback_times: list[float] = field(default_factory=list)
    returns: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    slider_value: float = STANDS

    @property
    def word(self) -> str:
        letters = (self.number // 26**k % 26 for k in range(4))
        return "zebra" + "".join(chr(ord("a") + n) for n in letters)

    @property
    def last(self) -> str:
        """The user's word with the number of the last question, as in the last pasted answer."""
        return f"{self.word}{len(self.waits)}"

    async def ask(self) -> None:
        """Paste an answer with this user's word and the number of the question, and wait for the verdict."""
        page, mine = self.page, f"{self.word}{len(self.waits) + 1}"
        if not page.says("Answer to judge"):
            label = "Change the answer" if page.says("Change the answer") else "Check an answer"
            await page.run(pressed=page.widget("button", label))
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

    async def use_app(self, address: str, until: float, chance: random.Random) -> None:
        """Ask questions and move the slider until the time `until`, with random pauses. Raises TimeoutError if a
        verdict or a move takes longer than a person would wait."""
        while time.monotonic() < until:
            try:
                await asyncio.wait_for(self.ask(), _PATIENCE)
                for n in range(MOVES):
                    await asyncio.sleep(chance.uniform(*PAUSE))
                    await asyncio.wait_for(self.move(1 if n % 4 < 2 else -1), _PATIENCE)
            except ConnectionClosed:
                await asyncio.wait_for(self.reload(address), _PATIENCE)

    async def reload(self, address: str) -> None:
        """Open the page again after its process has ended, as often as it takes. Its limits are then the first ones."""
        started, self.slider_value = time.perf_counter(), STANDS
        while True:
            try:
                self.page = await SocketPage.open_page(address, self.page.cookies)
                self.returns.append(time.perf_counter() - started)
                return
            except (httpx.HTTPError, OSError, WebSocketException):
                await asyncio.sleep(_RETRY_SECONDS)


async def run_users(
    address: str, count: int, seconds: float, first: int = 0, halfway: Callable[[], None] = lambda: None
) -> list[User]:
    """Run `count` users for `seconds`; all start at the same time, once all have opened the page.

    first: number of the first user. A number that was used on this server before asks what the models remember.
    halfway: called when half the time has passed.
    """
    users = [User(number, await SocketPage.open_page(address)) for number in range(first, first + count)]
    until = time.monotonic() + seconds
    asyncio.get_running_loop().call_later(seconds / 2, halfway)
    lives = [user.use_app(address, until, random.Random(user.number)) for user in users]
    for user, ended in zip(users, await asyncio.gather(*lives, return_exceptions=True), strict=True):
        if ended is not None:
            user.errors.append(f"user {user.number}: {type(ended).__name__} {ended}")
        await user.page.close()
    return users


def summary_text(users: list[User]) -> str:
    """A summary of all times as text, then each error on a line of its own."""
    errors = [error for user in users for error in user.errors]
    waits, heard, moves, returns = (
        [x for user in users for x in getattr(user, name)] for name in ("waits", "feedback_times", "moves", "returns")
    )
    head = f"{len(users)} at once: {len(waits)} questions{_times(waits, 's')}, answered or told their place"
    head += f"{_times(heard, 's')}, {len(moves)} moves{_times(moves, 'ms')}"
    head += f", {len(returns)} pages opened again{_times(returns, 's')}" if returns else ""
    return "\n".join([f"{head}; {len(errors)} errors", *errors])


def _times(times: list[float], unit: str) -> str:
    if not times:
        return ""
    return f" (median {np.median(times):.4g} {unit}, p95 {np.percentile(times, 95):.4g} {unit}, most {max(times):.4g} {unit})"


def load_text(served: Served, count: int, seconds: float, first: int, *, kill: bool = False) -> str:
    """Run `count` users, and say how they fared and how many processors each program took meanwhile.

    first: number of the first user, which no run on this server had before.
    """
    before = served.cpu_seconds() | {"these people": time.process_time()}
    started = time.monotonic()
    halfway = partial(served.replace_process, 0) if kill else lambda: None
    users = asyncio.run(run_users(served.address, count, seconds, first, halfway))
    after, wall = served.cpu_seconds() | {"these people": time.process_time()}, time.monotonic() - started
    shares = ", ".join(f"{name} {(after[name] - before[name]) / wall:.2f}" for name in before)
    head = f"{len(served.ports)} process{'es' if len(served.ports) > 1 else ''}{', one killed' if kill else ''}; "
    return f"{head}{summary_text(users)}\nprocessors in use: {shares}; load of the machine {os.getloadavg()[0]:.0f}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--users", type=int, nargs="+", default=[20])
    options.add_argument("--seconds", type=float, default=300)
    options.add_argument("--processes", type=int, nargs="+", default=[1])
    options.add_argument("--kill", action="store_true", help="with several processes, also a run in which one dies")
    chosen = options.parse_args()
    for processes in chosen.processes:
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
            served_by(processes, Path(folder)) as served,
        ):
            print(load_text(served, processes, min(60.0, chosen.seconds), first=0), flush=True)  # models are loaded
            runs = [(count, False) for count in chosen.users]
            runs += [(chosen.users[0], True)] if chosen.kill and processes > 1 else []
            first = processes
            for count, kill in runs:
                print(load_text(served, count, chosen.seconds, first, kill=kill), flush=True)
                first += count


if __name__ == "__main__":
    main()
