"""Domains: the topics, words and rules of an organisation's assistant, one JSON file each.

The built-in ones are in data/domains. The folder "domains" of the run-time folder may hold more, each a file NAME.json
with a built-in domain under "on" and the fields that differ: {"on": "shop", "about": "a bicycle shop"}.
"""

import json
import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import StringConstraints, TypeAdapter, ValidationError, field_validator
from pydantic.dataclasses import dataclass

from core.errors import UserError

log = logging.getLogger(__name__)
FOLDER = Path(__file__).parents[2] / "data" / "domains"
VIOLATIONS = ("off_topic", "competitor_info", "fabricated_product", "fabricated_policy")
"""What an answer may do against the organisation's interest, in the terms and order of source document D."""
SEVERITIES = ("low", "medium", "high")
MESSAGES = (
    "refuse", "abstain", "fallback", "rephrase", "escalate", "clarify", "language", "language_hindi", "small_talk",
    "part", "partly", "other_language", "off_topic", "outside_scope", "insufficient_context", "hedging",
)  # fmt: skip
"""Names of the domain's messages: refusals (in the wording of source documents A, C, D and E; D's also when stage 1 or
2 stops an answer), escalation, a clarifying question, replies to a question in another language or in Hindi and to a
greeting, a note on a part of a question without an answer, a note on left-out sentences, and reasons that name the
source of answers."""

WORDS = ("title", "placeholder", "empty", "library", "sources", "writer")
"""Names of the domain's other texts: the title of the page that asks, the placeholder of its field, the text for an
empty library, the name of the library, which a message may hold as {library}, the word for its sources ("books"), and
the instruction for a language model that writes.
"""


class DomainError(UserError):
    """A domain does not exist or is invalid; the message says which, and what is allowed."""


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


@dataclass(frozen=True, kw_only=True, config={"extra": "forbid"})
class Domain:
    """One organisation, such as a school with its books or a shop with its catalogue.

    about: the organisation in a phrase; `companyDomain` in source document D. on: name of the project's domain that it
    is made from, its own name for one of those. language: of the prompt that asks a language model about it at stage 1,
    by its code; the rules of stage 1 read English only.
    topics, elsewhere: texts on what belongs here and what does not, compared by meaning.
    competitors: names it does not discuss. catalogue: names it may use although no passage contains them.
    numbered: words before a number that identifies a thing ("figure|fig"). offering: words with which a thing is
    offered.
    policy: words of its rules. pointing: words that refer to something of the organisation without naming it.
    severity: severity of each violation. words, messages: its texts, see WORDS and MESSAGES.
    """

    name: str
    about: Text
    topics: tuple[Text, ...]
    elsewhere: tuple[Text, ...]
    competitors: tuple[Text, ...]
    catalogue: tuple[Text, ...]
    numbered: tuple[Text, ...]
    offering: tuple[Text, ...]
    policy: tuple[Text, ...]
    pointing: tuple[Text, ...]
    severity: Mapping[str, Literal[SEVERITIES]]
    messages: Mapping[str, Text]
    words: Mapping[str, Text]
    language: Literal["en", "pt", "es"] = "en"
    on: str = ""

    @field_validator("severity", "messages", "words")
    @classmethod
    def _has_every_key(cls, value: Mapping[str, str], about: Any) -> Mapping[str, str]:
        keys = {"severity": VIOLATIONS, "messages": MESSAGES, "words": WORDS}[about.field_name]
        if set(value) != set(keys):
            raise ValueError(f"it must be an object with {', '.join(keys)}")
        return value


_own_folders: list[Path] = []
"""At most one folder: the one of the run-time folder from which this process reads domains; empty before `use_home`."""


def use_home(home: Path) -> None:
    """Make this process also use the domains that are saved in the run-time folder `home`."""
    _own_folders[:] = [Path(home) / "domains"]


def domains() -> dict[str, Domain]:
    """Every domain by name, validated: those of the project, then those of the run-time folder that can be read."""
    own = {}
    for name in _own_files():
        try:
            own[name] = domain(name)
        except (DomainError, OSError):
            log.warning("the domain %s cannot be read and is left out", name)
    return _built_in() | own


def domain(name: str = "school") -> Domain:
    """The domain called `name`. Raises DomainError if there is none, or if its file has a fault."""
    if name in _built_in():
        return _built_in()[name]
    if path := _own_files().get(name):
        return _own_domain(path, path.stat().st_mtime_ns)
    raise DomainError(f"{name!r} is no domain; allowed are {', '.join(domains())}.")


def _own_files() -> dict[str, Path]:
    """The files of the run-time folder by the names of their domains."""
    return {path.stem: path for folder in _own_folders for path in sorted(folder.glob("*.json"))}


@lru_cache(maxsize=1)
def _built_in() -> dict[str, Domain]:
    return {
        p.stem: read_domain(p.stem, json.loads(p.read_text(encoding="utf-8"))) for p in sorted(FOLDER.glob("*.json"))
    }


@lru_cache(maxsize=64)
def _own_domain(path: Path, changed: int) -> Domain:  # noqa: ARG001 - part of the cache key
    """The domain in a file of the run-time folder, which names a built-in domain under "on" and the fields that differ
    from it."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise DomainError(f"The domain {path.stem} cannot be read: {error}; mend the file.") from error
    if not isinstance(content, dict) or str(on := content.pop("on", "")) not in _built_in():
        raise DomainError(f"The domain {path.stem} must name one of {', '.join(_built_in())} in the field on.")
    base = json.loads((FOLDER / f"{on}.json").read_text(encoding="utf-8"))
    nested = {key: base[key] | content[key] for key in ("messages", "words") if isinstance(content.get(key), dict)}
    return replace(read_domain(path.stem, base | content | nested), on=on)


def read_domain(name: str, content: Any) -> Domain:
    """The domain described by `content`, an object read from JSON. Raises DomainError if it is invalid."""
    if not isinstance(content, dict):
        raise DomainError(f"The domain {name} must be a JSON object, got {type(content).__name__}.")
    try:
        read = TypeAdapter(Domain).validate_python({**content, "name": name, "on": name})
    except ValidationError as error:
        fault = error.errors()[0]
        where, got = ".".join(map(str, fault["loc"])), fault["input"]
        raise DomainError(f"The domain {name} cannot be used; mend {where}: {fault['msg']}, got {got!r:.80}.") from None
    messages = {key: text.replace("{library}", read.words["library"]) for key, text in read.messages.items()}
    return replace(read, messages=messages)
