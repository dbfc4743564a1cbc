"""The word lists and tables of English that rules read, in data/*.json, and the words of a text that they are compared
with. A word is a run of letters and digits here, in lower case."""

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parents[2] / "data"


@lru_cache(maxsize=8)
def table(name: str) -> dict[str, Any]:
    """The JSON object in data/NAME.json."""
    return json.loads((_DATA / f"{name}.json").read_text(encoding="utf-8"))


def listed(name: str) -> tuple[str, ...]:
    """The words of one list of data/english.json, in their order there. Raises KeyError if there is no such list."""
    return tuple(" ".join(table("english")[name]).split())


def any_of(name: str) -> str:
    """A pattern for one word of a list of data/english.json; the longest that fits is taken."""
    return "|".join(sorted(listed(name), key=len, reverse=True))


def word_set(text: str) -> set[str]:
    """The words of `text`."""
    return set(re.findall(r"\w+", text.lower()))


def first_word(text: str) -> str:
    """The word with which `text` begins; "" if it begins with another sign."""
    return re.match(r"\w*", text)[0].lower()


def last_word(text: str) -> str:
    """The word with which `text` ends; "" if it ends with another sign."""
    return re.search(r"\w*$", text)[0].lower()
