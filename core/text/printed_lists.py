"""Parses lists as Python and NumPy print them; a pandas table holds the contexts of a question in this form."""

import ast
import io
import re
import tokenize
from typing import Any

LONGEST = 100_000
"""The most characters of a text that is parsed."""
_BEGINS = re.compile(r"\s*(?:\[|(?:(?:np|numpy)\.)?(?:array|list|Index)\s*\()")
_TEXT = re.compile(r"'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\"")
_HALF = re.compile(rf"[^'\"]{{0,40}}\[\s*+(?:{_TEXT.pattern})\s*+,?\s*+(?:['\"]|$)")
"""A list whose first string is whole, followed by a second one or by the end of the text."""
_WRAPPERS = ("array", "list", "Index", "str_")
_CLOSES, _OPENS = (")", "]", "}"), ("[", "{", "(")
_VALUES = (tokenize.STRING, tokenize.NUMBER, tokenize.NAME)


def printed_list(text: str) -> list[Any] | None:
    """The list whose print is `text`; None for any other text and for an incomplete print.

    NumPy separates elements by white space alone: "['a'\\n 'b']" has two strings, which Python would join into one.
    """
    value = _parse(text)
    return value if isinstance(value, list) and not _has_gap(value) else None


def is_cut_short(text: str) -> bool:
    """True for an incomplete print of a list: NumPy replaced a part by "...", or the end is missing."""
    value = _parse(text)
    if isinstance(value, list):
        return _has_gap(value)
    if value is not None or len(text) > LONGEST or not (_BEGINS.match(text) and _HALF.match(text)):
        return False
    around = _TEXT.sub("", text)
    return around.count("[") > around.count("]")


def _parse(text: str) -> Any:
    """The Python value of `text` after commas are put between the elements of its lists; None if it is no list."""
    if len(text) > LONGEST or not _BEGINS.match(text):
        return None
    try:
        return _value(ast.parse(_with_commas(text.strip()), mode="eval").body)
    except (ValueError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError):
        return None


def _with_commas(text: str) -> str:
    """`text` with a comma between elements that only white space separates."""
    lines, parts, before = io.StringIO(text).readline, [], None
    for token in tokenize.generate_tokens(lines):
        if token.type in (tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER):
            continue
        ends_element = before and (before.type in _VALUES or before.string in (*_CLOSES, "..."))
        begins_element = token.type in _VALUES or token.string in (*_OPENS, "...")
        is_call = token.string == "(" and before and before.type == tokenize.NAME
        if ends_element and begins_element and not is_call:
            parts.append(",")
        parts.append(token.string)
        before = token
    return " ".join(parts)


def _value(node: ast.AST) -> Any:
    """The value of a node; ValueError for a node other than strings, numbers, lists and mappings."""
    if isinstance(node, ast.List):
        return [_value(element) for element in node.elts]
    if isinstance(node, ast.Call) and node.args and ast.unparse(node.func).rpartition(".")[2] in _WRAPPERS:
        return _value(node.args[0])
    if isinstance(node, ast.Dict) and all(node.keys):
        return {ast.literal_eval(k): _value(v) for k, v in zip(node.keys, node.values, strict=True)}
    if isinstance(node, ast.Name) and node.id == "nan":
        return None
    return ast.literal_eval(node)


def _has_gap(value: Any) -> bool:
    return value is ... or (isinstance(value, list) and any(map(_has_gap, value)))
