"""The limits of classes and subjects in words, and as a table that people edit: one limit or mode a row."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from core.checks import all_checks, all_thresholds
from core.presets.by_class import ClassLimits
from core.presets.saved import PresetError
from core.thresholds import MODE_NAMES

COLUMNS = ("Class", "Subject", "Limit", "Value")
"""The columns of the table."""
_MODE = ".mode"
_MODES = {name.casefold(): mode for mode, name in MODE_NAMES.items()}


def scope_name(one: ClassLimits) -> str:
    """The class and subject of an entry in words: "class 10", "Science" or "Science in class 10"; "every class" if the
    entry has neither."""
    class_name = f"class {one.class_number}" if one.class_number is not None else ""
    return " in ".join(filter(None, (one.subject, class_name))) or "every class"


def own_limits_text(by_class: Sequence[ClassLimits]) -> str:
    """The start of a sentence that names all entries: "Class 10 has limits of its own". by_class: not empty."""
    names, verb = _names(by_class), _has_own(by_class)
    return f"{names[:1].upper()}{names[1:]} {verb}"


def uncovered_sentence(by_class: Sequence[ClassLimits]) -> str:
    """A sentence that lists the classes and subjects that a guarantee does not cover; "" if there are none.

    by_class: the entries of these classes and subjects.
    """
    return f"It does not cover {_names(by_class)}, which {_has_own(by_class)}." if by_class else ""


def set_sentence(by_class: Sequence[ClassLimits]) -> str:
    """A sentence: limits by class do not apply to the questions of a set. "" if there are no such limits."""
    if not by_class:
        return ""
    return f"{own_limits_text(by_class)}; here the sliders decide every question, whatever its class."


def moves_text(keys: Iterable[str]) -> str:
    """The number of limits and modes in words: "2 sliders", "1 slider and 1 mode"."""
    modes = [key.endswith(_MODE) for key in keys]
    counts = ((modes.count(False), "slider"), (modes.count(True), "mode"))
    return " and ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in counts if count)


def limit_names() -> dict[str, str]:
    """Every limit and mode by its key, in words, for the column Limit."""
    limits = {key: f"{t.label} ({key})" for key, t in all_thresholds().items()}
    return limits | {f"{check.name}{_MODE}": f"Mode: {check.plain} ({check.name})" for check in all_checks()}


def value_text(key: str, value: Any) -> str:
    """A limit or a mode as the column Value has it: "60", "Monitor"."""
    return MODE_NAMES[value] if key.endswith(_MODE) else f"{value:g}"


def table_columns(by_class: Sequence[ClassLimits]) -> dict[str, list[Any]]:
    """The table of these entries, column by column; an empty cell stands for any class or any subject."""
    rows = [
        (one.class_number, one.subject or None, key, value_text(key, value))
        for one in by_class
        for key, value in (*one.thresholds.items(), *((f"{name}{_MODE}", mode) for name, mode in one.modes.items()))
    ]
    return {column: [row[n] for row in rows] for n, column in enumerate(COLUMNS)}


def entries_of(rows: Iterable[Mapping[str, Any]]) -> list[ClassLimits]:
    """The entries of an edited table, one for each class and subject. rows: COLUMNS -> cell, None for an empty one.

    Empty rows do not count. Raises PresetError in one sentence that names the row.
    """
    values: dict[tuple[int | None, str], dict[str, Any]] = {}
    for n, row in enumerate(rows, 1):
        class_number, subject, key, text = (row.get(column) for column in COLUMNS)
        if not any((class_number, subject, key, text)):
            continue
        scope = (int(class_number) if class_number else None, " ".join((subject or "").split()))
        _require_whole_row(n, *scope, key, text)
        of_scope = values.setdefault(scope, {})
        if key in of_scope:
            raise PresetError(f"Row {n} sets {key} a second time for the same class and subject; delete one of them.")
        of_scope[key] = _value(n, key, text)
    return [_entry(*scope, of_scope) for scope, of_scope in values.items()]


def _require_whole_row(n: int, class_number: int | None, subject: str, key: str | None, text: str | None) -> None:
    """Raise PresetError if row `n` (from 1) has neither class nor subject, or lacks its limit or its value."""
    if class_number is None and not subject:
        raise PresetError(f"Row {n} names neither a class nor a subject; fill in one of them, or delete the row.")
    if not key or not (text or "").strip():
        raise PresetError(f"Row {n} needs a limit and its value; fill in both, or delete the row.")


def _value(n: int, key: str, text: str) -> Any:
    """The number or the mode in a cell. Raises PresetError."""
    if key.endswith(_MODE):
        if text.strip().casefold() not in _MODES:
            allowed = ", ".join(MODE_NAMES.values())
            raise PresetError(f"Row {n} has the mode {text!r:.40}; allowed are {allowed}.")
        return _MODES[text.strip().casefold()]
    try:
        number = float(text)
    except ValueError as error:
        raise PresetError(f"Row {n} needs a number for {key}, got {text!r:.40}.") from error
    return int(number) if number.is_integer() else number


def _entry(class_number: int | None, subject: str, values: Mapping[str, Any]) -> ClassLimits:
    modes = {key.removesuffix(_MODE): value for key, value in values.items() if key.endswith(_MODE)}
    thresholds = {key: value for key, value in values.items() if not key.endswith(_MODE)}
    return ClassLimits(class_number=class_number, subject=subject, thresholds=thresholds, modes=modes)


def _names(by_class: Iterable[ClassLimits]) -> str:
    """The classes and subjects of entries as a list in words: "class 10, class 12 and Science" for three of them."""
    names = list(dict.fromkeys(map(scope_name, by_class)))
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _has_own(by_class: Iterable[ClassLimits]) -> str:
    several = len(set(map(scope_name, by_class))) > 1
    return "have limits of their own" if several else "has limits of its own"
