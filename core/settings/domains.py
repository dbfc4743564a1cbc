"""Domains: what a house wants its assistant to speak of, and how. Configuration in data/domains, a file a domain."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "data" / "domains"
VIOLATIONS = ("off_topic", "competitor_info", "fabricated_product", "fabricated_policy")
"""What an answer may do against the interest of the house, in seed D's words and order."""
SEVERITIES = ("low", "medium", "high")
MESSAGES = (
    "refuse", "abstain", "fallback", "rephrase", "escalate", "clarify", "language", "language_hindi", "small_talk",
    "part", "other_language", "off_topic", "outside_scope", "insufficient_context", "hedging",
)  # fmt: skip
"""What the house says: of a refusal (in the words of seeds A, C, D and E; D's also when stage 1 or 2 stops an answer),
to hand over, to ask back, to a question in another language and to one in Hindi, to a greeting, of a part of a question
that gets no answer; and the reasons that name what it answers from."""

WORDS = ("title", "placeholder", "empty", "sources", "writer")
"""Other words of the house: the title of the page that asks, what its empty field and an empty library say, what it
calls what it answers from ("books"), and what a language model that writes is told to be."""


class DomainError(ValueError):
    """A domain is not there or badly written; the message says which, and what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Domain:
    """One house: a school with its books, a shop with its catalogue.

    about: the house in a phrase. topics and elsewhere: what belongs here and what does not, compared by meaning.
    competitors: whom it does not speak of. catalogue: what may be named though no passage names it. numbered: what is
    known by a number ("figure|fig"). offering: words with which a thing is offered. policy: words of its rules.
    pointing: words that point at something of the house without naming it. severity: of each violation.
    words, messages: what it says on its pages and to its writers, and on each route.
    """

    name: str
    about: str
    topics: tuple[str, ...]
    elsewhere: tuple[str, ...]
    competitors: tuple[str, ...]
    catalogue: tuple[str, ...]
    numbered: tuple[str, ...]
    offering: tuple[str, ...]
    policy: tuple[str, ...]
    pointing: tuple[str, ...]
    severity: Mapping[str, str]
    messages: Mapping[str, str]
    words: Mapping[str, str]


@lru_cache(maxsize=1)
def domains() -> dict[str, Domain]:
    """Every domain of data/domains by name, each one validated."""
    return {
        p.stem: read_domain(p.stem, json.loads(p.read_text(encoding="utf-8"))) for p in sorted(FOLDER.glob("*.json"))
    }


def domain(name: str = "school") -> Domain:
    """The domain called `name`; DomainError when there is none."""
    if name not in domains():
        raise DomainError(f"{name!r} is no domain; allowed are {', '.join(domains())}.")
    return domains()[name]


def read_domain(name: str, stored: Any) -> Domain:
    """The domain that `stored`, an object read from JSON, describes; DomainError in one sentence when it does not."""
    if not isinstance(stored, dict):
        raise DomainError(f"The domain {name} must be a JSON object, got {type(stored).__name__}.")
    wanted = {f.name for f in fields(Domain)} - {"name"}
    if set(stored) != wanted:
        wrong = ", ".join(sorted(wanted ^ set(stored)))
        raise DomainError(f"The domain {name} must have the fields {', '.join(sorted(wanted))}; mend {wrong}.")
    lists = {field: _texts(name, field, stored[field]) for field in wanted - {"about", "severity", "messages", "words"}}
    severity = _named(name, "severity", stored["severity"], VIOLATIONS)
    if wrong := set(severity.values()) - set(SEVERITIES):
        raise DomainError(f"severity of the domain {name} must be {', '.join(SEVERITIES)}, got {min(wrong)!r}.")
    messages = _named(name, "messages", stored["messages"], MESSAGES)
    words = _named(name, "words", stored["words"], WORDS)
    about = _text(name, "about", stored["about"])
    return Domain(name=name, about=about, severity=severity, messages=messages, words=words, **lists)


def _named(name: str, field: str, value: Any, keys: tuple[str, ...]) -> Mapping[str, str]:
    if not isinstance(value, dict) or set(value) != set(keys):
        raise DomainError(f"{field} of the domain {name} must be an object with {', '.join(keys)}, got {value!r:.80}.")
    return {key: _text(name, f"{field}.{key}", value[key]) for key in keys}


def _texts(name: str, field: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise DomainError(f"{field} of the domain {name} must be a list of texts, got {value!r:.80}.")
    return tuple(_text(name, field, one) for one in value)


def _text(name: str, field: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DomainError(f"{field} of the domain {name} must hold text that is not empty, got {value!r:.80}.")
    return value
