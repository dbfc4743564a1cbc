"""Many people at once, each in a browser context of their own: `python -m tests.measuring.users --users 20`.

Each asks again and again, about an answer that holds a word of their own, and moves a slider in between, with a
person's pauses. Whatever any of them sees of another is an error; so is a slider that stands where nobody moved it.
"""

import argparse
import asyncio
import random
import re
import shutil
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from playwright.async_api import async_playwright

from core.bench.slider import CHROMIUM, served
from tests.browser.test_app import QUIET

SLIDER = "input[type=range][aria-label^='Mean of the best three']"
CARD = ".st-key-card_retrieval_confidence"
QUESTION = "How fast does sound travel in water?"
"""The pasted answer is given out in part, so what was left out of it stands on the page."""
MOVES = 8
"""Moves of the slider after each question."""
PAUSE = (1.0, 3.0)
"""Seconds between two moves, at least and at most."""
_BEGINS = 10.0
"""Seconds within which all have asked for the first time."""
_WORD = re.compile(r"zebra[a-z]{4}\d*")
_SHOWS = "word => document.querySelector('[data-testid=stMain]').innerText.includes(word)"
"""What stands in a field to type into is no text of the page, so this waits for the answer."""
_PATIENCE = 120_000


@dataclass
class User:
    """One person. word: stands in what only this person pastes. errors: sentences on what went wrong."""

    number: int
    page: Any
    moves: list[float] = field(default_factory=list)
    asked: int = 0
    errors: list[str] = field(default_factory=list)
    stands: float | None = None

    @property
    def word(self) -> str:
        letters = (self.number // 26**k % 26 for k in range(4))
        return "zebra" + "".join(chr(ord("a") + n) for n in letters)

    async def enter(self, address: str) -> None:
        await self.page.goto(address)
        await self.page.get_by_text("Try one of these").wait_for()
        await self.page.get_by_role("combobox", name="Answer by").click()
        await self.page.get_by_role("option", name="an answer that you paste").click()
        await self.page.get_by_label("Answer to judge").wait_for()

    async def ask(self) -> None:
        """A question about an answer with this person's word and the number of the question in it."""
        self.asked += 1
        mine = f"{self.word}{self.asked}"
        await self._type("Answer to judge", f"A {mine} lives in the water. Sound travels in water.", "Control+Enter")
        await self._type("Question", QUESTION, "Tab")
        await self.page.get_by_role("button", name="Ask", exact=True).click()
        await self.page.wait_for_function(_SHOWS, arg=mine)
        await self._settled()
        await self.look(mine)

    async def look(self, mine: str) -> None:
        """Nobody else's word on the page, this person's last question, and the slider where it was left."""
        seen = set(_WORD.findall(await self.page.inner_text("[data-testid=stApp]")))
        if seen != {mine}:
            self.errors.append(f"user {self.number} sees {sorted(seen)} instead of {mine}")
        if await self.page.locator("[data-testid=stException]").count():
            self.errors.append(f"user {self.number} sees a traceback")
        now = float(await self.page.locator(SLIDER).input_value())
        if self.stands is not None and now != self.stands:
            self.errors.append(f"the slider of user {self.number} stands at {now}, not at {self.stands}")
        self.stands = now

    async def move(self, key: str) -> None:
        """One step of the slider; milliseconds from the key until the check's card says something else."""
        before = await self.page.inner_text(CARD)
        await self.page.locator(SLIDER).focus()
        started = time.perf_counter()
        await self.page.keyboard.press(key)
        await self.page.wait_for_function(
            "([selector, before]) => document.querySelector(selector)?.innerText !== before", arg=[CARD, before]
        )
        self.moves.append(1000 * (time.perf_counter() - started))
        await self._settled()
        self.stands = float(await self.page.locator(SLIDER).input_value())

    async def live(self, until: float, chance: random.Random) -> None:
        """Ask and slide until `until`; people do not begin in the same second."""
        await asyncio.sleep(chance.uniform(0, _BEGINS))
        while time.monotonic() < until:
            await self.ask()
            for n in range(MOVES):
                await asyncio.sleep(chance.uniform(*PAUSE))
                await self.move("ArrowRight" if (n + self.asked) % 4 < 2 else "ArrowLeft")
            await self.look(f"{self.word}{self.asked}")

    async def _type(self, label: str, text: str, key: str) -> None:
        box = self.page.get_by_label(label, exact=True)
        await box.fill(text)
        await box.press(key)
        await self._settled()

    async def _settled(self) -> None:
        """No script has run for a while."""
        await self.page.evaluate("() => { window.quietSince = null; }")
        await self.page.wait_for_function(QUIET, arg=400)


async def lived(address: str, count: int, seconds: float) -> list[User]:
    """`count` people for so long, after all of them have entered."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(CHROMIUM))
        users = []
        for number in range(count):
            context = await browser.new_context(viewport={"width": 1280, "height": 1000})
            page = await context.new_page()
            page.set_default_timeout(_PATIENCE)
            users.append(User(number, page))
            await users[-1].enter(address)
        until = time.monotonic() + seconds
        lives = [user.live(until, random.Random(user.number)) for user in users]
        for user, ended in zip(users, await asyncio.gather(*lives, return_exceptions=True), strict=True):
            if ended is not None:
                place = traceback.extract_tb(ended.__traceback__)
                doing = next((f.name for f in reversed(place) if f.filename == __file__), "")
                user.errors.append(f"user {user.number}, {doing}: {str(ended).splitlines()[0]}")
        await browser.close()
    return users


def told(users: list[User]) -> str:
    moves = np.array([ms for user in users for ms in user.moves])
    asked, errors = sum(user.asked for user in users), [e for user in users for e in user.errors]
    took = f"median {np.median(moves):.0f} ms, p95 {np.percentile(moves, 95):.0f} ms" if len(moves) else "no time"
    head = f"{len(users)} at once: {asked} questions, {len(moves)} moves of a slider, {took}; {len(errors)} errors"
    return "\n".join([head, *errors])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, served("app.py", Path(folder)) as address:
        print(told(asyncio.run(lived(address, 1, min(90.0, options.seconds)))), flush=True)
        print(told(asyncio.run(lived(address, options.users, options.seconds))), flush=True)


if __name__ == "__main__":
    main()
