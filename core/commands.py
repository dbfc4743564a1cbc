"""The commands of the command line, each a function of its options."""

import json
import os
import signal
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from core.banks import REPORTING, SAMPLE_BANKS, read_bank
from core.case import CaseError, Question
from core.chain import Verdict
from core.graph import Explorer
from core.library import Cancelled, Library, LibraryError, clashes, load_sample
from core.opening import home_folder, open_explorer
from core.presets import preset, with_settings
from core.record import question_of, verdict_row
from core.scope import document_key
from core.thresholds import Preset

_WIDE = 100
"""Letters of the line of progress."""


def ingest(options: Namespace) -> int:
    """Put files into the library: a line each on stdout, progress on stderr; 1 when any was refused.

    Ctrl-C ends it with 130: files that are done stay, of the one under way nothing is kept.
    """
    with _interrupts() as cancelled:
        from core.models.embedder import bundled_embedder  # torch takes seconds to import

        library = Library(home_folder(options.home), bundled_embedder())
        clashing = _clashes(options.files)
        try:
            return max([_ingest_one(library, path, options, clashing.get(path), cancelled) for path in options.files])
        except Cancelled as error:
            _clear()
            print(f"ingest: {error}", file=sys.stderr)
            return 130


def ask(options: Namespace) -> int:
    """Ask one question, or judge the answer that came with it."""
    row = {
        "query": options.question, "class_number": options.class_number, "subject": options.subject,
        "documents": options.document, "pages": options.pages, "answer": options.answer,
    }  # fmt: skip
    question, under = question_of(row), _preset(options)
    explorer = open_explorer(options.home, options.profile)
    _require_documents(question, explorer)
    trace, verdict = explorer.ask(question, under)
    found = verdict_row(trace, verdict)
    print(json.dumps({"id": None, **found}, ensure_ascii=False) if options.json else _in_words(found, verdict))
    return 0


def judge(options: Namespace) -> int:
    """A row in, a row out, in the same order; a row that cannot be read is answered in its place."""
    under = _preset(options)
    try:
        lines = options.source.read_text(encoding="utf-8-sig").split("\n")
        options.target.touch()
    except (OSError, UnicodeDecodeError) as error:
        raise CaseError(f"{error}; name a JSONL file in UTF-8 to read and a place to write to.") from error
    explorer = open_explorer(options.home, options.profile)
    with options.target.open("w", encoding="utf-8") as out:
        for row in _judged([line for line in lines if line.strip()], explorer, under):
            out.write(row + "\n")
    return 0


def evaluate(options: Namespace) -> int:
    """Count what becomes of every row of a bank: sentences or JSON on stdout, progress on stderr, and a report.

    Without a bank it counts the reporting half of the sample banks.
    """
    from core.evaluate import evaluated, missing_documents
    from core.outcomes import counts
    from core.report import in_words, page

    under, rows = _preset(options), read_bank(options.bank or REPORTING, report=True)
    if options.report:
        _write(options.report, "", "a")  # a place that cannot be written to is said before the long run
    explorer = open_explorer(options.home, options.profile)
    if options.sample:
        load_sample(explorer.library, _shown)
    lacking = missing_documents(rows, [d.name for d in explorer.library.documents()])
    if lacking:
        print(f"evaluate: {_lacks(lacking)}", file=sys.stderr)
    outcomes = list(_with_time_left(evaluated(rows, explorer, under), len(rows)))
    found = {
        "bank": options.bank.name if options.bank else SAMPLE_BANKS,
        "preset": under.name, "moved": options.assignments, "profile": options.profile, "writer": options.writer,
        "date": time.strftime("%Y-%m-%d"), "missing_documents": lacking, **counts(outcomes),
    }  # fmt: skip
    if options.report:
        _write(options.report, page(found, outcomes))
    print(json.dumps(found, indent=1) if options.json else in_words(found))
    return 0


def bench(options: Namespace) -> int:
    """Measure, and print what was measured."""
    from core.bench import run

    figures = run(options.only)
    print(json.dumps(figures) if options.json else "\n".join(_figure_line(n, f) for n, f in figures.items()))
    return 0


def docs(_: Namespace) -> int:
    """Rewrite the README's generated tables."""
    from core.docs import README, refreshed

    README.write_text(refreshed(README.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def _ingest_one(
    library: Library, path: Path, options: Namespace, clash: str | None, cancelled: Callable[[], bool]
) -> int:
    try:
        if clash:
            raise LibraryError(clash)
        done = library.ingest(
            _bytes_of(path), path.name, progress=_shown, cancelled=cancelled,
            class_number=options.class_number, subject=options.subject, chapter=options.chapter,
        )  # fmt: skip
    except Cancelled:
        raise
    except LibraryError as error:
        return _line(f"{path.name}: refused: {error}", 1)
    document = done.document
    what = "already in the library" if not done.added else "replaced" if done.replaced else "added"
    return _line(f"{path.name}: {what}: {document.pages} pages, {document.passages} passages", 0)


def _clashes(paths: list[Path]) -> dict[Path, str]:
    """Why a file cannot go in together with those named before it."""
    known = [path for path in paths if path.is_file() and os.access(path, os.R_OK)]
    found = clashes([path.name for path in known], lambda place: _bytes_of(known[place]))
    return {known[place]: sentence for place, sentence in found.items()}


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Has Ctrl-C been pressed within the block? Pressed twice, it ends the program at once."""
    pressed = []

    def press(*_: Any) -> None:
        pressed.append(True)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


def _line(text: str, code: int) -> int:
    """A line of its own on stdout, whatever stands on the terminal; gives `code` back."""
    _clear()
    print(text, flush=True)
    return code


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise LibraryError(f"The file cannot be opened ({error.strerror}); check its name.") from error


def _shown(progress: Any) -> None:
    """Progress on stderr, on one line that is written over, when a person watches."""
    if sys.stderr.isatty():
        done = f"{progress.page} of {progress.pages} pages, {progress.seconds_left:.0f} s left"
        where = f"{progress.document}: {progress.step}, {done}"
        print(f"\r{where:<{_WIDE}.{_WIDE}}", end="", file=sys.stderr, flush=True)


def _clear() -> None:
    """Take the line of progress away."""
    if sys.stderr.isatty():
        print(f"\r{'':<{_WIDE}}\r", end="", file=sys.stderr, flush=True)


def _preset(options: Namespace) -> Preset:
    return with_settings(preset(options.preset), options.assignments)


def _require_documents(question: Question, explorer: Explorer) -> None:
    known = sorted(d.name for d in explorer.library.documents())
    for name in question.scope.documents:
        if document_key(name) not in map(document_key, known):
            raise CaseError(f"{name!r} is not in the library; it holds {', '.join(known) or 'no document yet'}.")


def _judged(lines: list[str], explorer: Explorer, under: Preset) -> Iterator[str]:
    """One line of JSON for every line, whatever is in it."""
    for number, line in enumerate(lines, 1):
        started, row = time.perf_counter(), None
        try:
            row = json.loads(line)
            question = question_of(row)
            _require_documents(question, explorer)
            trace, verdict = explorer.ask(question, under)
            trace = replace(trace, seconds=time.perf_counter() - started)
            yield json.dumps({"id": row.get("id"), **verdict_row(trace, verdict)}, allow_nan=False)
        except (ValueError, RecursionError) as error:  # one bad row must not end the others
            yield json.dumps({"id": _id_of(row), "error": _said(error, number)})


def _id_of(row: Any) -> Any:
    """The id of a row that cannot be judged, when it has one that JSON can hold."""
    known = row.get("id") if isinstance(row, dict) else None
    return known if isinstance(known, str | int) else None


def _said(error: Exception, number: int) -> str:
    if isinstance(error, json.JSONDecodeError | RecursionError):
        return f"Row {number} is no JSON that can be read ({error}); write one object a line."
    return str(error)


def _in_words(found: dict[str, Any], verdict: Verdict) -> str:
    """A verdict for a person at a terminal."""
    lines = [found["route"].upper() + ": " + found["answer"], f"evidence {found['confidence']:.0f}/100"]
    if verdict.explanation:
        lines.append(verdict.explanation)
    lines += [f"  failed: {verdict.checks[n].name}: {verdict.checks[n].why}" for n in found["failed"]]
    cited = {c for s in verdict.sentences for c in s.citations} if verdict.answered else {1}
    for place, passage in enumerate(found["passages"], 1):
        if place in cited:
            lines.append(f"  [{place}] {passage['document']}, page {passage['page']}")
    lines += [f"  try: {q}" for q in found["suggestions"]]
    return "\n".join(lines)


def _lacks(documents: list[str]) -> str:
    return (
        f"The library does not hold {', '.join(documents)}, which the bank asks about, so the counts will say little; "
        "add them with ingest, or the sample chapters with --sample."
    )


def _write(path: Path, text: str, mode: Literal["a", "w"] = "w") -> None:
    try:
        with path.open(mode, encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        raise CaseError(f"{path.name} cannot be written ({error.strerror}); name another place for it.") from error


def _with_time_left(done: Iterable[Any], total: int) -> Iterator[Any]:
    """`done`, with the time left on stderr: on one line for a person who watches, else every tenth part."""
    started, step = time.monotonic(), max(1, total // 10)
    for number, item in enumerate(done, 1):
        left = (time.monotonic() - started) / number * (total - number)
        where = f"{number} of {total} rows, {left:.0f} s left"
        if sys.stderr.isatty():
            print(f"\r{where:<{_WIDE}}", end="", file=sys.stderr, flush=True)
        elif number % step == 0 or number == total:
            print(where, file=sys.stderr, flush=True)
        yield item
    _clear()


def _figure_line(name: str, figure: dict[str, Any]) -> str:
    ratio = "" if figure["ratio"] is None else f"  {figure['ratio']:.2f} x {figure['baseline']}"
    return f"{name:<24}{figure['value']:>10.2f} {figure['unit']:<14}{ratio}  (n {figure['n']}) {figure['note']}"
