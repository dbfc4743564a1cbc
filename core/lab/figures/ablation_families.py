"""The families of English rules that the ablation leaves out: which function of the program each is, and what takes its
place. A family fires on a question if its function returns something else than what takes its place.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import partial, wraps
from importlib import import_module
from operator import attrgetter
from typing import Any

from core.case import Passage
from core.text.citation_marks import Mark

Switch = tuple[str, str, Callable[..., Any]]
"""(module, name of a function or method in it, what takes its place)."""


def _nothing(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: deepcopy(value)  # the program adds to the lists that it gets


def _unchanged(first: Any, *_: Any, **__: Any) -> Any:
    return first


def _for_each(value: Any) -> Callable[..., list[Any]]:
    return lambda texts, *_: [value] * len(texts)


def _whole_sentences(passage: Passage) -> frozenset[int]:
    return frozenset(range(len(passage.sentences))) - frozenset(passage.broken)


def _square_mark(text: str, group: Any, *, original: Callable[..., Mark | None]) -> Mark | None:
    return original(text, group) if group["square"] else None


_NUMBERS, _QUANTITIES = "core.text.held_quantities", "core.text.quantities"
_READING, _LAYOUT, _MARKS = "core.text.answer_sentences", "core.text.answer_layout", "core.text.citation_marks"
_STRETCHES, _RUNS, _FEATURES = "core.models.stretches", "core.features.answer_runs", "core.features.case_features"
_WRITER = "core.writers.extractive_writer"
_PASSAGES_READ = (
    _STRETCHES, "core.text.claims", "core.features.claim_evidence", "core.retrieval.scoring",
)  # fmt: skip
FAMILIES: Mapping[str, tuple[Switch, ...]] = {
    # What a sentence of an answer states, against its evidence.
    "clauses": (("core.features.claim_evidence", "claims_of", lambda text: (text,)),),
    "one half of a premise": (("core.features.claim_evidence", "clause_about", _unchanged),),
    "one spelling of quantities": (("core.features.claim_evidence", "spelled_like", _unchanged),),
    "numbers, names and terms": ((_FEATURES, "unheld", _nothing([])),),
    "crossed facts": (("core.text.verifiable_facts", "is_crossed", _nothing(False)),),
    "names and terms": (("core.text.verifiable_facts", "holds_word", _nothing(True)),),
    "numbers": (("core.text.verifiable_facts", "missing_quantities", _nothing([])),),
    "surer than the book": (("core.text.verifiable_facts", "surer_than", _nothing([])),),
    "invented facts": ((_FEATURES, "invented_facts", _nothing([])),),
    "hedges": ((_FEATURES, "find_hedges", _nothing([])),),
    "an amount of another thing": ((_NUMBERS, "_is_misplaced", _nothing(False)),),
    "a count of another thing": ((_NUMBERS, "_counts_others", _nothing(False)),),
    "years backward": ((_NUMBERS, "_backward_years", _nothing([])),),
    "formulas": ((_NUMBERS, "_missing_formulas", _nothing([])), (_QUANTITIES, "without_formulas", _unchanged)),
    "unknown units": ((_NUMBERS, "_unknown", _nothing([])),),
    "another case than asked": ((_STRETCHES, "is_another_case", _nothing(False)),),
    "rounding": ((_QUANTITIES, "_rounds", _nothing(False)),),
    "ranges": ((_QUANTITIES, "_in_ranges", _unchanged),),
    "two units": ((_QUANTITIES, "_compound", _unchanged),),
    "bounds": ((_QUANTITIES, "_bounded", _unchanged),),
    "minus signs": ((_QUANTITIES, "_minus", _nothing(None)),),
    "decimal commas": (("core.text.numerals", "_is_decimal_comma", _nothing(False)),),
    "large scales": (("core.text.numerals", "_apply_scale", lambda text, numeral: numeral),),
    # How an answer is read.
    "abstentions": ((_FEATURES, "abstention_flags", _for_each(False)),),
    "marks in other signs than square brackets": ((_MARKS, "_mark", _square_mark),),
    "signs around marks": ((_MARKS, "_wrapped", lambda text, start, end: (start, end)),),
    "marks shared in a paragraph": ((_READING, "_share_marks", _unchanged),),
    "lists of sources": ((_READING, "_split_sources", lambda text: (text, ())),),
    "small talk around an answer": ((_READING, "_without_talk", _unchanged),),
    "fragments joined": ((_READING, "_without_fragments", _unchanged),),
    "titles in an answer": ((_READING, "_is_title", _nothing(False)),),
    "rows of a table": ((_LAYOUT, "_rows_as_sentences", _unchanged),),
    "items with their opening": ((_LAYOUT, "_with_openings", _unchanged),),
    "items within a line": ((_LAYOUT, "_items_of", lambda line: [line]),),
    "JSON, HTML and reasoning": ((_READING, "plain_answer", _unchanged),),
    # What answers a question.
    "sides of a difference": ((_WRITER, "side_questions", _nothing(())), (_RUNS, "side_questions", _nothing(()))),
    "definitions": ((_STRETCHES, "_defines", _nothing(False)),),
    "lists": ((_STRETCHES, "list_openers", _for_each(None)),),
    "lists in an answer": ((_RUNS, "list_openers", _for_each(None)),),
    "announced items": ((_STRETCHES, "begins_enumeration", _nothing(False)),),
    "beginnings that point back": ((_STRETCHES, "has_back_reference", _nothing(False)),),
    "echoes": ((_STRETCHES, "echoes", _nothing(False)), (_RUNS, "echoes", _nothing(False))),
    "questions in a passage": tuple((module, "without_questions", tuple) for module in _PASSAGES_READ),
    "the answer of the evidence": ((_FEATURES, "answer_held", _nothing(0.0)),),
    "quoted runs": ((_RUNS, "_quotations", _nothing([])),),
    "sentences that state": ((_STRETCHES, "stating", _whole_sentences),),
    # What a turn asks.
    "questions in parts": (("core.retrieval.question_parts", "split_question", _nothing(())),),
    "follow-ups": (("core.graph.explorer", "complete_question", _nothing("")),),
    "kinds of turns": (("core.graph.rounds", "kind_of_turn", _nothing("question")),),
    "clarity": ((_FEATURES, "clarity", _nothing(1.0)),),
    "spelling": (("core.retrieval.library_words", "LibrarySpelling.correct", lambda _, text: text),),
    "further searches": (("core.graph.rounds", "refine", _nothing(None)),),
    "language": (("core.graph.rounds", "language_of", _nothing("")),),
    # Stage 1, and corrections.
    "what needs no check": ((_FEATURES, "need_check", lambda case, _: [True] * len(case.sentences)),),
    "own words explained": ((_FEATURES, "explains_itself", _nothing(False)),),
    "things that nobody has": ((_FEATURES, "unheld_things", _nothing([])),),
    "competitors": ((_FEATURES, "competitors_in", _nothing([])),),
    "drift": ((_FEATURES, "drift", _for_each(-1.0)),),
    "corrections sentence by sentence": (("core.features.correction", "_most_similar", _nothing(None)),),
    "corrections about the same": (
        ("core.features.correction", "is_about_the_same", _nothing(True)),
        ("core.features.sentence_facts", "is_about_the_same", _nothing(True)),
    ),
}
_FEWEST_CACHED = 256
"""Caches of fewer results hold data and patterns of the program, not results on texts."""


@contextmanager
def without(switches: Sequence[Switch]) -> Iterator[None]:
    """A context manager in which the functions of `switches` are replaced."""
    places = [(*_place(module, name), replacement) for module, name, replacement in switches]
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    forget_texts()
    for owner, name, replacement in places:
        setattr(owner, name, _with_original(replacement, getattr(owner, name)))
    try:
        yield
    finally:
        for owner, name, function in kept:
            setattr(owner, name, function)
        forget_texts()


@contextmanager
def watched(families: Mapping[str, Sequence[Switch]]) -> Iterator[set[str]]:
    """A context manager that yields the set of the families that have fired since it was cleared last."""
    fired: set[str] = set()
    with _all_replaced(
        [(module, name, partial(_watching, replacement, family, fired))
         for family, switches in families.items() for module, name, replacement in switches]
    ):  # fmt: skip
        yield fired


@contextmanager
def _all_replaced(makers: Sequence[tuple[str, str, Callable[[Any], Any]]]) -> Iterator[None]:
    """A context manager in which each function is replaced by what its maker makes of it."""
    kept = []
    for module, path, maker in makers:
        owner, name = _place(module, path)
        kept.append((owner, name, getattr(owner, name)))
        setattr(owner, name, maker(getattr(owner, name)))
    try:
        yield
    finally:
        for owner, name, function in reversed(kept):
            setattr(owner, name, function)


def _watching(replacement: Callable[..., Any], family: str, fired: set[str], original: Callable[..., Any]) -> Any:
    """`original`, which adds `family` to `fired` when `replacement` would have returned something else."""
    neutral = _with_original(replacement, original)

    @wraps(original)
    def watch(*args: Any, **kwargs: Any) -> Any:
        # A list is copied, since a rule may change it in place.
        other = neutral(*(list(one) if isinstance(one, list) else one for one in args), **kwargs)
        result = original(*args, **kwargs)
        result = list(result) if hasattr(result, "__next__") else result
        if family not in fired and _plain(result) != _plain(other):
            fired.add(family)
        return result

    return watch


def _plain(result: Any) -> Any:
    return list(result) if isinstance(result, tuple) or hasattr(result, "__next__") else result


def _with_original(replacement: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """`replacement`; one that needs the function that it replaces gets it as `original`."""
    return partial(replacement, original=original) if replacement is _square_mark else replacement


def _place(module: str, path: str) -> tuple[Any, str]:
    """(module or class, name) of a function, or of a method such as "LibrarySpelling.correct"."""
    owner, _, name = path.rpartition(".")
    return (attrgetter(owner)(import_module(module)) if owner else import_module(module)), name


def forget_texts() -> None:
    """Empty the caches of what the rules found in texts."""
    modules = [module for name, module in sys.modules.items() if name.startswith(("core.text.", "core.retrieval."))]
    named = {one for module in modules for one in vars(module).values() if callable(one)}
    for function in named | {one.__wrapped__ for one in named if hasattr(one, "__wrapped__")}:
        if hasattr(function, "cache_clear") and (function.cache_parameters()["maxsize"] or 0) >= _FEWEST_CACHED:
            function.cache_clear()
