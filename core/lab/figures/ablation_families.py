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

Function = Callable[..., Any]
Switch = tuple[str, str, Callable[[Function], Function]]
"""(module, name of a function or method in it, what makes from this function the one that takes its place)."""


def _by(replacement: Function) -> Callable[[Function], Function]:
    """`replacement`, whatever the function is whose place it takes."""
    return lambda original: replacement


def _nothing(value: Any) -> Callable[[Function], Function]:
    return _by(lambda *_, **__: deepcopy(value))  # the program adds to the lists that it gets


def _for_each(value: Any) -> Callable[[Function], Function]:
    return _by(lambda texts, *_: [value] * len(texts))


def _unchanged(original: Function) -> Function:
    return lambda first, *_, **__: first


def _whole_sentences(passage: Passage) -> frozenset[int]:
    return frozenset(range(len(passage.sentences))) - frozenset(passage.broken)


def _square_marks(original: Callable[..., Mark | None]) -> Callable[..., Mark | None]:
    return lambda text, group: original(text, group) if group["square"] else None


_NUMBERS, _QUANTITIES = "core.text.held_quantities", "core.text.quantities"
_READING, _LAYOUT, _MARKS = "core.text.answer_sentences", "core.text.answer_layout", "core.text.citation_marks"
_STRETCHES, _RUNS, _FEATURES = "core.models.stretches", "core.features.answer_runs", "core.features.case_features"
_WRITER, _CORRECTION = "core.writers.extractive_writer", "core.features.correction"
_CLAIMS, _EVIDENCE = "core.text.claims", "core.features.claim_evidence"


def _everywhere(name: str, maker: Callable[[Function], Function], *modules: str) -> tuple[Switch, ...]:
    """A function that several modules import, or use where it is defined."""
    return tuple((module, name, maker) for module in modules)


FAMILIES: Mapping[str, tuple[Switch, ...]] = {
    # What a sentence of an answer states, against its evidence.
    "clauses": _everywhere("claims_of", _by(lambda text: (text,)), _EVIDENCE, _CLAIMS),
    "one half of a premise": _everywhere("clause_about", _unchanged, _EVIDENCE, "core.features.support"),
    "one spelling of quantities": ((_EVIDENCE, "spelled_like", _unchanged),),
    "numbers, names and terms": ((_FEATURES, "unheld", _nothing([])),),
    "crossed facts": ((_FEATURES, "is_crossed", _nothing(False)),),
    "names and terms": (("core.text.verifiable_facts", "holds_word", _nothing(True)),),
    "numbers": (("core.text.verifiable_facts", "missing_quantities", _nothing([])),),
    "surer than the book": (("core.text.verifiable_facts", "surer_than", _nothing([])),),
    "invented facts": ((_FEATURES, "invented_facts", _nothing([])),),
    "hedges": ((_FEATURES, "find_hedges", _nothing([])),),
    "an amount of another thing": ((_NUMBERS, "_is_misplaced", _nothing(False)),),
    "a count of another thing": ((_NUMBERS, "_counts_others", _nothing(False)),),
    "counts together": ((_NUMBERS, "_sums", _nothing([])),),
    "years backward": ((_NUMBERS, "_backward_years", _nothing([])),),
    "formulas": ((_NUMBERS, "_missing_formulas", _nothing([])), (_QUANTITIES, "without_formulas", _unchanged)),
    "unknown units": ((_NUMBERS, "_unknown", _nothing([])),),
    "another case than asked": ((_STRETCHES, "is_another_case", _nothing(False)),),
    "another value than asked": _everywhere("gives_other_value", _nothing(False), _STRETCHES, _RUNS),
    "things that the question excludes": (("core.text.non_answers", "_names_the_excluded", _nothing(False)),),
    "rounding": ((_QUANTITIES, "_rounds", _nothing(False)),),
    "ranges": ((_QUANTITIES, "_in_ranges", _unchanged),),
    "two units": ((_QUANTITIES, "_compound", _unchanged),),
    "bounds": ((_QUANTITIES, "_bounded", _unchanged),),
    "minus signs": ((_QUANTITIES, "_minus", _nothing(None)),),
    "decimal commas": (("core.text.numerals", "_is_decimal_comma", _nothing(False)),),
    "large scales": (("core.text.numerals", "_apply_scale", _by(lambda text, numeral: numeral)),),
    # How an answer is read.
    "abstentions": _everywhere("abstention_flags", _for_each(False), _FEATURES, "core.features.sentence_facts"),
    "marks in other signs than square brackets": ((_MARKS, "_mark", _square_marks),),
    "marks shared in a paragraph": ((_READING, "_share_marks", _unchanged),),
    "lists of sources": ((_READING, "_split_sources", _by(lambda text: (text, ()))),),
    "small talk around an answer": ((_READING, "_without_talk", _unchanged),),
    "said to the reader": ((_READING, "_asides", _nothing(frozenset())),),
    "fragments joined": ((_READING, "_without_fragments", _unchanged),),
    "titles in an answer": ((_READING, "_is_title", _nothing(False)),),
    "rows of a table": ((_LAYOUT, "_rows_as_sentences", _unchanged),),
    "items with their opening": ((_LAYOUT, "_with_openings", _unchanged),),
    "items within a line": ((_LAYOUT, "_items_of", _by(lambda line: [line])),),
    "JSON, HTML and reasoning": _everywhere("plain_answer", _unchanged, _READING, "core.text.given_answer"),
    # What answers a question.
    "sides of a difference": _everywhere("side_questions", _nothing(()), _WRITER, _RUNS),
    "accounts": _everywhere("account_topic", _nothing(""), _RUNS, "core.retrieval.standalone_question"),
    "denials": _everywhere("denies", _nothing(False), _RUNS, "core.text.non_answers"),
    "half lists": ((_RUNS, "lacks_items", _nothing(False)),),
    "definitions": ((_STRETCHES, "_defines", _nothing(False)),),
    "lists": _everywhere("list_openers", _for_each(None), _STRETCHES, _CORRECTION, _CLAIMS),
    "lists in an answer": ((_RUNS, "list_openers", _for_each(None)),),
    "announced items": ((_STRETCHES, "begins_enumeration", _nothing(False)),),
    "beginnings that point back": _everywhere(
        "has_back_reference",
        _nothing(False),
        _STRETCHES,
        _RUNS,
        _CORRECTION,
        _READING,
        _FEATURES,
        _WRITER,
        "core.text.non_answers",
    ),
    "echoes": _everywhere("echoes", _nothing(False), _STRETCHES, _RUNS),
    "questions in a passage": _everywhere(
        "without_questions", _by(tuple), _STRETCHES, _CLAIMS, _EVIDENCE, "core.retrieval.scoring"
    ),
    "the answer of the evidence": ((_FEATURES, "answer_held", _nothing(0.0)),),
    "quoted runs": ((_RUNS, "_quotations", _nothing([])),),
    "sentences that state": ((_STRETCHES, "stating", _by(_whole_sentences)),),
    # What a turn asks.
    "questions in parts": _everywhere(
        "split_question", _nothing(()), "core.retrieval.question_parts", "core.retrieval.standalone_question"
    ),
    "follow-ups": (("core.retrieval.standalone_question", "_complete", _nothing("")),),
    "kinds of turns": _everywhere(
        "kind_of_turn", _nothing("question"), "core.graph.rounds", "core.retrieval.standalone_question"
    ),
    "clarity": ((_FEATURES, "clarity", _nothing(1.0)),),
    "spelling": (("core.retrieval.library_words", "LibrarySpelling.correct", _by(lambda _, text: text)),),
    "further searches": (("core.graph.rounds", "refine", _nothing(None)),),
    "language": _everywhere("language_of", _nothing(""), "core.graph.rounds", "core.text.words"),
    # Stage 1, and corrections.
    "what needs no check": ((_FEATURES, "need_check", _by(lambda case, _: [True] * len(case.sentences))),),
    "own words explained": _everywhere("explains_itself", _nothing(False), _FEATURES, "core.features.stage_one_rules"),
    "things that nobody has": ((_FEATURES, "unheld_things", _nothing([])),),
    "competitors": ((_FEATURES, "competitors_in", _nothing([])),),
    "drift": ((_FEATURES, "drift", _for_each(-1.0)),),
    "corrections sentence by sentence": ((_CORRECTION, "_most_similar", _nothing(None)),),
    "corrections about the same": _everywhere(
        "is_about_the_same", _nothing(True), _CORRECTION, "core.features.sentence_facts"
    ),
}
_SLOW_TO_READ = ("core.text.words._counts", "core.text.units._registry", "core.text.lexicon.table")
"""Caches that stay: data of the program, which no rule changes."""


@contextmanager
def replaced(switches: Sequence[Switch]) -> Iterator[None]:
    """A context manager in which other functions take the places that `switches` name."""
    kept = []
    forget_texts()
    try:
        for module, path, maker in switches:
            owner, name = place_of(module, path)
            original = getattr(owner, name)
            kept.append((owner, name, original))
            setattr(owner, name, maker(original))
        yield
    finally:
        for owner, name, original in reversed(kept):
            setattr(owner, name, original)
        forget_texts()


@contextmanager
def watched(families: Mapping[str, Sequence[Switch]]) -> Iterator[set[str]]:
    """A context manager that yields the set of the families that have fired since it was cleared last."""
    fired: set[str] = set()
    with replaced(
        [(module, name, partial(_watching, maker, family, fired))
         for family, switches in families.items() for module, name, maker in switches]
    ):  # fmt: skip
        yield fired


def _watching(maker: Callable[[Function], Function], family: str, fired: set[str], original: Function) -> Function:
    """`original`, which adds `family` to `fired` when what takes its place would have returned something else."""
    replacement = maker(original)

    @wraps(original)
    def watch(*args: Any, **kwargs: Any) -> Any:
        # A list is copied, since a rule may change it in place.
        other = replacement(*(list(one) if isinstance(one, list) else one for one in args), **kwargs)
        result = original(*args, **kwargs)
        result = list(result) if hasattr(result, "__next__") else result
        if family not in fired and _plain(result) != _plain(other):
            fired.add(family)
        return result

    return watch


def _plain(result: Any) -> Any:
    return list(result) if isinstance(result, tuple) or hasattr(result, "__next__") else result


def place_of(module: str, path: str) -> tuple[Any, str]:
    """(module or class, name) of a function, or of a method such as "LibrarySpelling.correct"."""
    owner, _, name = path.rpartition(".")
    return (attrgetter(owner)(import_module(module)) if owner else import_module(module)), name


def forget_texts() -> None:
    """Empty the caches of what the rules found in texts."""
    modules = [module for name, module in sys.modules.items() if name.startswith(("core.text.", "core.retrieval."))]
    named = {one for module in modules for one in vars(module).values() if callable(one)}
    for function in named | {one.__wrapped__ for one in named if hasattr(one, "__wrapped__")}:
        if hasattr(function, "cache_clear") and f"{function.__module__}.{function.__name__}" not in _SLOW_TO_READ:
            function.cache_clear()
