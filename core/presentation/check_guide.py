"""The guide to each check as text: what it asks, catches and is blind to, and its limits with their defaults."""

import re
from dataclasses import dataclass

from core.check import Check, mode_of, source_title
from core.presets import preset as named
from core.reply.display_rounding import threshold_value
from core.thresholds import MODE_NAMES, Preset, Threshold

_PARTS = re.compile(r"(?P<how>.*?)\s*Catches\s+(?P<catches>.*?)\s*Blind to\s+(?P<blind>.*)")
_STRICTER = {"higher": "higher is stricter", "lower": "lower is stricter", "neither": ""}


@dataclass(frozen=True, kw_only=True)
class Limit:
    """One threshold of a check as text. now: its value under the current preset; "" if that is the default."""

    label: str
    default: str
    now: str
    unit: str
    stricter: str


@dataclass(frozen=True, kw_only=True)
class CheckGuide:
    """One check as text. how: what it measures, "" if obvious. mode, default_mode: Block, Monitor or Off."""

    name: str
    short: str
    requirement: str
    stage: str
    asks: str
    how: str
    catches: str
    blind_to: str
    source: str
    mode: str
    default_mode: str
    limits: tuple[Limit, ...]


def check_guide(check: Check, preset: Preset) -> CheckGuide:
    """The guide to a check, read from its docstring, with its limits under `preset`.

    Raises ValueError if the docstring lacks a part.
    """
    asks, _, rest = check.doc().partition("\n\n")
    parts = _PARTS.fullmatch(" ".join(rest.split()))
    if parts is None:
        raise ValueError(f"The docstring of {check.name} must say what it catches and what it is blind to.")
    default = named("default")
    return CheckGuide(
        name=check.name, short=check.short, requirement=check.plain, stage=check.stage, asks=" ".join(asks.split()),
        how=parts["how"], catches=_sentence(parts["catches"]), blind_to=_sentence(parts["blind"]),
        source="our own" if check.source_document == "ours" else source_title(check.source_document),
        mode=MODE_NAMES[mode_of(check, preset)], default_mode=MODE_NAMES[mode_of(check, default)],
        limits=tuple(_limit(t, preset, default) for t in check.thresholds().values()),
    )  # fmt: skip


def _limit(t: Threshold, preset: Preset, default: Preset) -> Limit:
    now, before = (threshold_value(t, p.thresholds.get(t.key, t.default)) for p in (preset, default))
    return Limit(
        label=t.label, default=before, now="" if now == before else now, unit=t.unit, stricter=_STRICTER[t.stricter]
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
