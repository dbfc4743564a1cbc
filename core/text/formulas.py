"""Chemical formulas and ions as terms: each is one to the letter, however its small figures and charge are written."""

import re
from collections.abc import Iterator
from functools import lru_cache

_SYMBOLS = """
H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc
Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi
Po At Rn Fr Ra Ac Th Pa U Np Pu
""".split()
_ELEMENT = f"(?:{'|'.join(sorted(_SYMBOLS, key=len, reverse=True))})"
_COUNTED = rf"{_ELEMENT}(?:[₀-₉]{{1,3}}|[_~]?\d{{1,3}}~?)?"
_GROUP = rf"(?:{_COUNTED}|\((?:{_COUNTED}){{1,6}}\)(?:[₀-₉]|[_~]?\d~?)?)"
_ENDS = r"(?=[\s,.;:)?!]|$)"
_CHARGE = rf"[²³⁴⁵⁶⁷⁸]?[⁺⁻]|\^\{{?\d?[-−–+]\}}?\^?|[-−–+]{_ENDS}|\s\d[-−–+]{_ENDS}"
_FORMULA = re.compile(rf"(?<![A-Za-z])(?P<body>{_GROUP}{{1,12}})(?P<charge>{_CHARGE})?(?![A-Za-z\d¹²³⁰⁴-⁹])")
_FIGURES = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−–", "01234567890123456789+---", "~_^{} ")
_MAY_HOLD = re.compile(
    r"[A-Z][a-z]?\)?(?:[\d₀-₉²-⁺⁻~_^+]|[-−–](?:\s|$)|\s\d[-−–+])|[A-Z][A-Z]?[a-z]?[A-Z][a-z]?|[A-Z]\("
)
_STRAY = r"[\s~_^]*"


def formulas(text: str) -> frozenset[str]:
    """The formulas and ions of `text` in one spelling: "H2O", "Na^+", "SO4^2-"."""
    return frozenset(_one_spelling(found) for found in _found(text))


def places_of_formulas(text: str) -> list[tuple[int, int, str]]:
    """(start, end, spelling of `formulas`) of every formula and ion of `text`, from the left."""
    return [(*found.span(), _one_spelling(found)) for found in _found(text)]


@lru_cache(maxsize=1024)
def without_formulas(text: str) -> str:
    """`text` with a run of letters as long as each formula in its place, so that its figures are no numbers."""
    for found in _found(text):
        text = text[: found.start()] + "x" * len(found.group()) + text[found.end() :]
    return text


def holds_formula(text: str, formula: str) -> bool:
    """True where `text` holds `formula`, a spelling of `formulas`, also with stray spaces between its letters."""
    return formula in formulas(text) or bool(_broken(formula).search(text.translate(_PLAIN)))


_PLAIN = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻−–", "01234567890123456789+---")


@lru_cache(maxsize=1024)
def _broken(formula: str) -> re.Pattern[str]:
    letters = _STRAY.join(map(re.escape, formula.replace("^", "")))
    charged = "" if "^" in formula else r"(?!\s?\d?[-+](?:\W|$))"
    return re.compile(rf"(?<![A-Za-z]){letters}{charged}(?![A-Za-z\d])")


def _found(text: str) -> Iterator[re.Match[str]]:
    if _MAY_HOLD.search(text):
        yield from (found for found in _FORMULA.finditer(text) if _is_formula(found))


def _is_formula(found: re.Match[str]) -> bool:
    """True for what holds a figure, a charge, or two symbols of which one has a small letter; "He" and "NO" are words.

    A lone capital letter with a dash, as the "A-" of a mark, is none either.
    """
    body, charge = found["body"], found["charge"] or ""
    if any(c.isdigit() for c in body) or charge[:1] in tuple("²³⁴⁵⁶⁷⁸⁺⁻^"):
        return True
    if charge:
        return len(body) > 1 if charge in ("-", "−", "–") else charge == "+" or len(body) > 1
    return len(re.findall("[A-Z]", body)) > 1 and not body.isupper()


def _one_spelling(found: re.Match[str]) -> str:
    """Body and charge apart. In "Fe3+" the figure is the charge's, in "SO42-" the last one, in "NH4+" none."""
    body, charge = found["body"], (found["charge"] or "").translate(_FIGURES)
    plain = body.translate(_FIGURES)
    if charge in ("+", "-") and "^" not in (found["charge"] or "") and found["charge"] not in ("⁺", "⁻"):
        alone = re.fullmatch(r"([A-Z][a-z]?)(\d)", body)
        last = alone or re.fullmatch(r"(.*\d)(\d)", body)
        plain, charge = (last[1].translate(_FIGURES), last[2] + charge) if last else (plain, charge)
    return f"{plain}^{charge.removeprefix('1')}" if charge else plain
