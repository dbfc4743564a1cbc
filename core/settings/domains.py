"""Domains: the topics, words and rules of an organisation's assistant, one file each in data/domains."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "data" / "domains"
VIOLATIONS = ("off_topic", "competitor_info", "fabricated_product", "fabricated_policy")
"""What an answer may do against the organisation's interest, in the terms and order of source document D."""
SEVERITIES = ("low", "medium", "high")
MESSAGES = (
    "refuse", "abstain", "fallback", "rephrase", "escalate", "clarify", "language", "language_hindi", "small_talk",
    "part", "partly", "other_language", "off_topic", "outside_scope", "insufficient_context", "hedging",
)  # fmt: skip
"""Names of the domain's messages: refusals (in the wording of source documents A, C, D and E; D's also when stage 1
or 2 stops an answer), escalation, asking back, a question in another language or in Hindi, a greeting, a part of a
question without an answer, an answer of which sentences are left out, and reasons that name the source of answers.
"""

WORDS = ("title", "placeholder", "empty", "sources", "writer")
"""Names of the domain's other texts: the title of the page that asks, the placeholder of its field, the text for an
empty library, the word for its sources ("books"), and the instruction for a language model that writes.
"""


class DomainError(ValueError):
    """A domain does not exist or is invalid; the message says which, and what is allowed."""


@dataclass(frozen=True, kw_only=True)
class Domain:
    """One organisation, such as a school with its books or a shop with its catalogue.

    about: the organisation in a phrase.
    topics, elsewhere: texts on what belongs here and what does not, compared by meaning.
    competitors: names it does not discuss. catalogue: names it may use although no passage contains them.
    numbered: words before a number that identifies a thing ("figure|fig"). offering: words with which a thing is
    offered.
    policy: words of its rules. pointing: words that refer to something of the organisation without naming it.
    severity: severity of each violation. words, messages: its texts, see WORDS and MESSAGES.
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
    """Every domain in data/domains by name, validated."""
    return {
        p.stem: read_domain(p.stem, json.loads(p.read_text(encoding="utf-8"))) for p in sorted(FOLDER.glob("*.json"))
    }


def domain(name: str = "school") -> Domain:
    """The domain called `name`. Raises DomainError if there is none."""
    if name not in domains():
        raise DomainError(f"{name!r} is no domain; allowed are {', '.join(domains())}.")
    return domains()[name]


def read_domain(name: str, stored: Any) -> Domain:
    """The domain described by `stored`, an object read from JSON. Raises DomainError if it is invalid."""
    if not isinstance(stored, dict):
        raise DomainError(f"The domain {name} must be a JSON object, got {type(stored).__name__}.")
    required = {f.name for f in fields(Domain)} - {"name"}
    if set(stored) != required:
        mismatch = ", ".join(sorted(required ^ set(stored)))
        raise DomainError(f"The domain {name} must have the fields {', '.join(sorted(required))}; mend {mismatch}.")
    lists = {
        field: _texts(name, field, stored[field]) for field in required - {"about", "severity", "messages", "words"}
    }
    severity = _text_by_key(name, "severity", stored["severity"], VIOLATIONS)
    if mismatch := set(severity.values()) - set(SEVERITIES):
        raise DomainError(f"severity of the domain {name} must be {', '.join(SEVERITIES)}, got {min(mismatch)!r}.")
    messages = _text_by_key(name, "messages", stored["messages"], MESSAGES)
    words = _text_by_key(name, "words", stored["words"], WORDS)
    about = _text(name, "about", stored["about"])
    return Domain(name=name, about=about, severity=severity, messages=messages, words=words, **lists)


def _text_by_key(name: str, field: str, value: Any, keys: tuple[str, ...]) -> Mapping[str, str]:
    if not isinstance(value, dict) or set(value) != set(keys):
        raise DomainError(f"{field} of the domain {name} must be an object with {', '.join(keys)}, got {value!r:.80}.")
    return {key: _text(name, f"{field}.{key}", value[key]) for key in keys}


def _texts(name: str, field: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise DomainError(f"{field} of the domain {name} must be a list of texts, got {value!r:.80}.")
    return tuple(_text(name, field, text) for text in value)


def _text(name: str, field: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise DomainError(f"{field} of the domain {name} must hold text that is not empty, got {value!r:.80}.")
    return value
