"""Chemical formulas and ions in one spelling, with any notation of subscripts and charge."""

import re
from functools import lru_cache

from core.text.lexicon import any_of

_ELEMENT = f"(?:{any_of('elements')})"
_COUNTED = rf"{_ELEMENT}(?:[₀-₉]{{1,3}}|[_~]?\d{{1,3}}~?)?"
_GROUP = rf"(?:{_COUNTED}|\((?:{_COUNTED}){{1,6}}\)(?:[₀-₉]|[_~]?\d~?)?)"
_ENDS = r"(?=[\s,.;:)?!]|$)"
_CHARGE = rf"[²³⁴⁵⁶⁷⁸]?[⁺⁻]|\^\{{?\d?[-−–+]\}}?\^?|[-−–+]{_ENDS}|\s\d[-−–+]{_ENDS}"
_FORMULA = re.compile(rf"(?<![A-Za-z])(?P<body>{_GROUP}{{1,12}})(?P<charge>{_CHARGE})?(?![A-Za-z\d¹²³⁰⁴-⁹])")
_FIGURES = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−–", "01234567890123456789+---", "~_^{} ")
_CANDIDATE = re.compile(
    r"[A-Z][a-z]?\)?(?:[\d₀-₉²-⁺⁻~_^+]|[-−–](?:\s|$)|\s\d[-−–+])|[A-Z][A-Z]?[a-z]?[A-Z][a-z]?|[A-Z]\("
)
_STRAY = r"[\s~_^]*"


def formulas(text: str) -> frozenset[str]:
    """The formulas and ions of `text` in one spelling: "H2O", "Na^+", "SO4^2-"."""
    return frozenset(spelling for *_, spelling in formula_spans(text))


def formula_spans(text: str) -> list[tuple[int, int, str]]:
    """(start, end, spelling as in `formulas`) of every formula and ion of `text` from left to right."""
    matches = _FORMULA.finditer(text) if _CANDIDATE.search(text) else ()
    return [(*match.span(), _one_spelling(match)) for match in matches if _is_formula(match)]


@lru_cache(maxsize=1024)
def without_formulas(text: str) -> str:
    """`text` with "x" for every character of a formula, so that its digits are no numbers."""
    for start, end, _ in formula_spans(text):
        text = text[:start] + "x" * (end - start) + text[end:]
    return text


def holds_formula(text: str, formula: str) -> bool:
    """True if `text` holds `formula` (spelt as in `formulas`), also with stray spaces between its letters."""
    return formula in formulas(text) or bool(_spaced_pattern(formula).search(text.translate(_PLAIN)))


_PLAIN = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−–", "01234567890123456789+---")


@lru_cache(maxsize=1024)
def _spaced_pattern(formula: str) -> re.Pattern[str]:
    letters = _STRAY.join(map(re.escape, formula.replace("^", "")))
    charge = "" if "^" in formula else r"(?!\s?\d?[-+](?:\W|$))"
    return re.compile(rf"(?<![A-Za-z]){letters}{charge}(?![A-Za-z\d])")


def _is_formula(match: re.Match[str]) -> bool:
    """True for a match with a digit, a charge, or two symbols of which one has a lower-case letter; "He" and "NO" are
    words, and a lone capital letter with a dash, such as the grade "A-", is no formula either."""
    body, charge = match["body"], match["charge"] or ""
    if any(c.isdigit() for c in body) or charge[:1] in tuple("²³⁴⁵⁶⁷⁸⁺⁻^"):
        return True
    if charge:
        return len(body) > 1 if charge in ("-", "−", "–") else charge == "+" or len(body) > 1
    return len(re.findall("[A-Z]", body)) > 1 and not body.isupper()


def _one_spelling(match: re.Match[str]) -> str:
    """The formula as body and charge, such as "SO4^2-". The digit of "Fe3+" and the last digit of "SO42-" belong to the
    charge; the digit of "NH4+" does not."""
    body, charge = match["body"], (match["charge"] or "").translate(_FIGURES)
    plain = body.translate(_FIGURES)
    if charge in ("+", "-") and "^" not in (match["charge"] or "") and match["charge"] not in ("⁺", "⁻"):
        alone = re.fullmatch(r"([A-Z][a-z]?)(\d)", body)
        last = alone or re.fullmatch(r"(.*\d)(\d)", body)
        plain, charge = (last[1].translate(_FIGURES), last[2] + charge) if last else (plain, charge)
    return f"{plain}^{charge.removeprefix('1')}" if charge else plain
