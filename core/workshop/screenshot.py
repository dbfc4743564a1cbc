"""The picture on the front page, of the real app: python -m core.workshop.screenshot [--home DIR]."""

import argparse
import tempfile
from pathlib import Path

from core.workshop.bench.browser import ROOT, SETTLED, browser, served

SCREEN = ROOT / "data" / "screens" / "ask.png"
QUESTION = "What is photosynthesis?"
_PATIENCE = 300_000
"""Milliseconds: a new run-time folder reads the sample chapters first."""


def taken(home: Path, out: Path) -> None:
    """The first fold of the Ask page with an answered question, at 1440x900; BrowserError without Chromium."""
    with served("app.py", home) as url, browser() as chromium:
        page = chromium.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
        page.set_default_timeout(_PATIENCE)
        page.goto(url)
        page.get_by_role("button", name=QUESTION).click()
        page.locator(".st-key-verdict").get_by_role("heading").first.wait_for()
        page.wait_for_function(SETTLED)
        page.evaluate("scrollTo(0, 0)")
        page.wait_for_timeout(1_000)  # what is drawn last slides into place
        out.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, help="a run-time folder; a new one when none is given")
    parser.add_argument("--out", type=Path, default=SCREEN)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:
        taken(given.home or Path(empty), given.out)


if __name__ == "__main__":
    main()
