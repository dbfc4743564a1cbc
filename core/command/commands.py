"""The commands of the command line, each a function of its options that returns the exit code."""

import json
import os
import signal
import socket
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import Context
from dataclasses import asdict
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Literal

from core.banks import REPORTING, SAMPLE_BANKS, read_bank
from core.case import CaseError
from core.command import terminal
from core.command.cluster import measuring_of
from core.command.terminal import line, preset_of, settings_for_rows, settings_of, track_progress
from core.decide.routes import ROUTES
from core.graph.startup import open_explorer
from core.home.backup import BackupError, backup, restore
from core.home.health import check
from core.journal import Filter, Journal
from core.journal.export import DecisionRecorder, csv_of, json_of
from core.library import Cancelled, Library, LibraryError, clashes, in_brackets, load_sample, refuse_by_size, safe_name
from core.library.documents import loss_sentences
from core.library.ingestion import IngestionOutcome
from core.models.embedder import bundled_embedder
from core.platform.access import AccessError, mode
from core.platform.home import home_folder
from core.question import ROLES
from core.reply.reply import reply_of
from core.reply.serialization import question_of
from core.settings import SettingError
from core.settings.domains import domain
from core.words import REASONS


def ask(options: Namespace) -> int:
    """Ask one question, or judge the answer supplied with it."""
    row = {
        "query": options.question, "class_number": options.class_number, "subject": options.subject,
        "documents": options.document, "pages": options.pages,
        "history": [_turn(turn) for turn in options.history], "tool_results": options.tool_result,
    }  # fmt: skip
    row |= {} if options.answer is None else {"answer": options.answer}
    question, settings = question_of(row), settings_of(options)
    preset = preset_of(options, question.scope)

    def on_text(text: str) -> None:
        """Show the end of what a language model has written so far, or what it waits for."""
        terminal.show(" ".join(text.split())[-terminal.WIDTH :])

    explorer = open_explorer(options.home, options.profile, settings, on_text)
    explorer.require_documents(question)
    trace, verdict = explorer.ask(question, preset)
    terminal.show("")
    recorder = DecisionRecorder(options, preset, explorer.settings)
    recorder(trace, verdict)  # before printing, which a closed pipe may interrupt
    if options.json:
        reply = reply_of(trace, verdict, preset, domain(explorer.settings.domain))
        print(json.dumps(reply.row(), ensure_ascii=False))
    else:
        print(terminal.verdict_in_words(trace, verdict))
    return recorder.code


def _turn(text_with_role: str) -> dict[str, str]:
    """Parse "user: What is sound?" as a turn. Raises CaseError without a valid role."""
    role, colon, text = text_with_role.partition(":")
    if not colon or role.strip() not in ROLES:
        raise CaseError(f"--history must be {', '.join(ROLES)}, a colon and what was said, got {text_with_role!r:.80}.")
    return {"role": role.strip(), "text": text.strip()}


def evaluate(options: Namespace) -> int:
    """Count the outcome of every row of a bank: sentences or JSON on stdout, progress on stderr, and a report.

    Without a bank it counts the reporting half of the sample banks. Returns 1 if a limit of --fail-under or --fail-over
    is missed, or if, with --fail-without-guarantee, the bank does not prove that so few answers given out are wrong.
    """
    from core.banks.open_bank import OpenBank
    from core.banks.row import missing_documents
    from core.banks.saved import named_bank
    from core.command.tune import share_of
    from core.evaluation.cases import evaluate_rows, single_watch_presets
    from core.presentation.set_words import recheck_sentence
    from core.reports.evaluation_report import Evaluation, gates, in_words
    from core.tuning.guarantee import Promise, upper_bound, wrong_answers

    limits = gates(options.fail_under, options.fail_over)
    preset, settings = preset_of(options), settings_for_rows(options)
    promise = Promise(share=share_of(options.fail_without_guarantee)) if options.fail_without_guarantee else None
    rows = named_bank(options.bank or REPORTING, home_folder(options.home), partial(read_bank, report=True))
    if options.report:
        _write(options.report, "", "a")  # fail before the long run if the file is not writable
    measuring = measuring_of(options)
    explorer = open_explorer(options.home, options.profile, settings)
    if options.sample:
        load_sample(explorer.library, terminal.show_progress)
    missing = missing_documents(rows, [d.name for d in explorer.library.documents()])
    if missing:
        print(
            f"evaluate: The library does not hold {', '.join(missing)}, which the bank asks about, so the counts will "
            "say little; add them with ingest, or the sample chapters with --sample.", file=sys.stderr,
        )  # fmt: skip
    presets = [preset, *single_watch_presets(preset)]
    results = list(track_progress(evaluate_rows(rows, explorer, presets, measuring), len(rows)))
    evaluation = Evaluation(
        outcomes=[o for o, _ in results], bank=OpenBank.of([case for _, case in results if case]), preset=preset,
        about={
            "bank": options.bank.name if options.bank else SAMPLE_BANKS,
            "preset": preset.name, "moved": options.assignments, "profile": options.profile, "writer": settings.writer,
            "models": explorer.models.names, "date": time.strftime("%Y-%m-%d"), "missing_documents": missing,
            "rows": len(rows),
        },
    )  # fmt: skip
    if options.report:
        _write(options.report, evaluation.page())
    rates = [(gate, evaluation.rate(gate.metric)) for gate in limits]
    passed = [gate.passes(rate) for gate, rate in rates]
    row = evaluation.row() | {"gates": [vars(g) | {"passed": g.passes(r), **r.row()} for g, r in rates]}
    if promise:
        wrong = wrong_answers(evaluation.bank, preset)
        bound = upper_bound(wrong, promise.error)
        passed.append(bound <= promise.share)
        row["guarantee"] = {
            "passed": passed[-1], "promised": promise.share, "confidence": promise.confidence,
            "bound": round(bound, 4), **wrong.row(),
        }  # fmt: skip
    print(json.dumps(row, indent=1) if options.json else in_words(row))
    for gate, rate in rates:
        print(f"evaluate: {gate.text(rate)}", file=sys.stderr)
    if promise:
        print(f"evaluate: {recheck_sentence(promise, wrong, bound)}", file=sys.stderr)
    return int(not all(passed))


def _write(path: Path, text: str, mode: Literal["a", "w"] = "w") -> None:
    try:
        with path.open(mode, encoding="utf-8", errors="replace") as file:
            file.write(text)
    except OSError as error:
        raise CaseError(f"{path.name} cannot be written ({error.strerror}); name another place for it.") from error


def add_home_options(sub: ArgumentParser) -> list[ArgumentParser]:
    """Add the options of the command `home`. Returns the parsers of its subcommands."""
    actions = sub.add_subparsers(dest="action", required=True)
    checking = actions.add_parser("check", help="check that every part can be read; rebuild what can be rebuilt")
    backing_up = actions.add_parser("backup", help="write the folder into one file")
    restoring = actions.add_parser("restore", help="make a new folder from such a file")
    for parser in (backing_up, restoring):
        parser.add_argument("file", type=Path, metavar="FILE.zip")
    return [checking, backing_up, restoring]


def home(options: Namespace) -> int:
    """Check the run-time folder, write it into one file, or make a new folder from that file. Prints a line for each
    part that was checked, and returns 1 if one of them is broken, else 0."""
    if options.action == "backup":
        count = backup(home_folder(options.home), options.file)
        return line(f"{options.file.name} holds {count} files; keep it where only you can read it.", 0)
    if options.action == "restore":
        if options.home is None:
            raise BackupError("A backup is restored into a new folder; name it with --home DIR.")
        restore(options.file, options.home)
        print("Restored. The folder holds:", file=sys.stderr)
    findings = list(check(home_folder(options.home)))
    for finding in findings:
        line(f"{finding.part}: {finding.state}: {finding.sentence}", 0)
    return int(any(finding.state == "broken" for finding in findings))


HOST, PORT = "127.0.0.1", 8600


def add_serve_options(sub: ArgumentParser) -> None:
    sub.add_argument("--host", default=HOST, help=f"address to listen at; default: {HOST}, this computer only")
    sub.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}; 0 takes a free port")


def serve(options: Namespace) -> int:
    """Answer HTTP requests until Ctrl-C; print the address on stdout.

    Raises AccessError if there are no tokens and the address is public or the app runs in a school.
    """
    import uvicorn

    from core.service.app import TOKENS, service, tokens  # FastAPI takes half a second to import

    preset, settings = preset_of(options), settings_of(options)
    if not tokens() and mode() == "school":
        raise AccessError(f"In a school, every caller needs a token; name tokens in {TOKENS}.")
    if not tokens() and options.host not in (HOST, "localhost"):
        raise AccessError(f"Callers on other computers need a token; name tokens in {TOKENS}.")
    try:  # before the models are loaded, so that a port in use fails at once
        listening = socket.create_server((options.host, options.port), backlog=2048)
    except (OSError, OverflowError) as error:
        place, cause = f"{options.host}:{options.port}", getattr(error, "strerror", None) or error
        raise SettingError(f"The service cannot listen at {place} ({cause}); name another --host or --port.") from error
    explorer = open_explorer(options.home, options.profile, settings)
    recorder = DecisionRecorder(options, preset, explorer.settings, "service")
    config = uvicorn.Config(
        service(explorer, preset, recorder), log_level="warning", access_log=False, server_header=False, log_config=None
    )
    print(f"http://{options.host}:{listening.getsockname()[1]}", flush=True)
    Context().run(uvicorn.Server(config).run, sockets=[listening])  # callers do not inherit the operator's rights
    return recorder.code


def add_ingest_options(sub: ArgumentParser) -> None:
    sub.add_argument("files", nargs="+", type=Path, metavar="FILE.pdf")
    sub.add_argument("--class-number", type=int)
    sub.add_argument("--subject")
    sub.add_argument("--chapter")


def ingest(options: Namespace) -> int:
    """Add files to the library: one line each on stdout, progress on stderr. Returns 1 if any file was refused.

    Ctrl-C returns 130: finished files stay, and nothing of the current one is stored.
    """
    code = 0
    with _interrupts() as cancelled:
        library = Library(home_folder(options.home), bundled_embedder())
        readable = [path for path in options.files if path.is_file() and os.access(path, os.R_OK)]
        sentences = clashes([path.name for path in readable], lambda index: _bytes_of(readable[index]))
        shelf = {"class_number": options.class_number, "subject": options.subject, "chapter": options.chapter}
        for path in options.files:
            name = safe_name(path.name)
            try:
                if path in readable and readable.index(path) in sentences:
                    raise LibraryError(sentences[readable.index(path)])
                data = _bytes_of(path)
                outcome = library.ingest(data, path.name, progress=terminal.show_progress, cancelled=cancelled, **shelf)
            except Cancelled as error:
                terminal.show("")
                print(f"ingest: {error}", file=sys.stderr)
                return 130
            except LibraryError as error:
                code = line(f"{name}: refused: {error}", 1)
            except OSError as error:
                cause = f"it cannot be stored ({error.strerror}); free disk space and add it again."
                code = line(f"{name}: refused: {cause}", 1)
            else:
                line(f"{name}: {_in_words(outcome, name)}", 0)
    return code


def _in_words(outcome: IngestionOutcome, name: str) -> str:
    """The result for a file: whether it was added, replaced others or was in the library already, its pages and
    passages, and what of it could not be read. If the library gives it another name than `name`, the result says so.
    """
    document = outcome.document
    new_name = "" if document.name == name else f" as {document.name}"
    if not outcome.added:
        done = f"already in the library{new_name}"
    elif outcome.replaced:
        done = f"replaced{in_brackets(outcome.replaced)}"
    else:
        done = f"added{new_name}"
    losses = "".join(f"; {sentence}" for sentence in loss_sentences(document.losses))
    return f"{done}: {document.pages} pages, {document.passages} passages{losses}"


def _bytes_of(path: Path) -> bytes:
    try:
        refuse_by_size(path.stat().st_size, safe_name(path.name))
        return path.read_bytes()
    except OSError as error:
        raise LibraryError(f"The file cannot be opened ({error.strerror}); check its name.") from error


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Yield a function that returns True once Ctrl-C was pressed. A second Ctrl-C ends the program."""
    signals = []

    def press(*_: Any) -> None:
        signals.append(True)
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: bool(signals)
    finally:
        signal.signal(signal.SIGINT, before)


def add_journal_options(sub: ArgumentParser) -> None:
    sub.add_argument("--reason", action="append", default=[], choices=list(REASONS))
    sub.add_argument("--route", action="append", default=[], choices=ROUTES)
    sub.add_argument("--class-number", type=int)
    sub.add_argument("--subject", default="")
    sub.add_argument("--first", type=date.fromisoformat, metavar="YYYY-MM-DD", help="from this day on")
    sub.add_argument("--last", type=date.fromisoformat, metavar="YYYY-MM-DD", help="up to this day")
    sub.add_argument("--text", default="", help="a part of the question or of its answer")
    sub.add_argument("--gaps", action="store_true", help="list missing topics instead, the most asked first")
    sub.add_argument("--json", action="store_true", help="JSON instead of CSV, with every threshold")


def journal(options: Namespace) -> int:
    """Print the decisions that match the options, newest first, or what the library lacks."""
    conditions = Filter(
        reasons=tuple(options.reason), routes=tuple(options.route), class_number=options.class_number,
        subject=options.subject, first=options.first, last=options.last, text=options.text,
    )  # fmt: skip
    store = Journal(home_folder(options.home))
    if not options.gaps:
        print(json_of(store, conditions) if options.json else csv_of(store, conditions), end="")
        return 0
    from core.journal.coverage_gaps import gaps_of

    lacking = store.lacking(conditions)
    gaps = gaps_of(lacking, bundled_embedder().encode) if lacking else []
    sentences = (f"{gap.asked} x {gap.question}  ({len(gap.questions)} ways of asking)" for gap in gaps)
    as_json = json.dumps([asdict(gap) for gap in gaps], ensure_ascii=False, indent=1)
    print(as_json if options.json else "\n".join(sentences))
    return 0
