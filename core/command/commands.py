"""The commands of the command line, each a function of its options that returns the exit code."""

import json
import socket
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from contextvars import Context
from pathlib import Path
from typing import Literal

from core.banks import REPORTING, SAMPLE_BANKS, read_bank
from core.case import CaseError
from core.command import terminal
from core.command.cluster import measuring_of
from core.command.terminal import line, preset_of, settings_for_rows, settings_of, track_progress
from core.graph.startup import open_explorer
from core.home.backup import BackupError, backup, restore
from core.home.health import Finding, check
from core.journal.export import DecisionRecorder
from core.library import load_sample
from core.platform.access import AccessError, mode
from core.platform.home import home_folder
from core.question import ROLES
from core.reply.reply import reply_of
from core.reply.serialization import question_of
from core.settings import SettingError
from core.settings.domains import domain


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
    explorer = open_explorer(options.home, options.profile, settings, terminal.text_so_far)
    explorer.require_documents(question)
    trace, verdict = explorer.ask(question, preset)
    terminal.clear()
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
    from core.banks.saved import saved_set
    from core.command.tune import share_of
    from core.evaluation.cases import evaluate_rows, single_watch_presets
    from core.presentation.set_words import recheck_sentence
    from core.reports.evaluation_report import Evaluation, gates, in_words
    from core.tuning.guarantee import Promise, upper_bound, wrong_answers

    limits = gates(options.fail_under, options.fail_over)
    preset, settings = preset_of(options), settings_for_rows(options)
    promise = Promise(share=share_of(options.fail_without_guarantee)) if options.fail_without_guarantee else None
    rows = saved_set(options.bank, home_folder(options.home))
    rows = read_bank(options.bank or REPORTING, report=True) if rows is None else rows
    if options.report:
        _write(options.report, "", "a")  # fail before the long run if the file is not writable
    measuring = measuring_of(options)
    explorer = open_explorer(options.home, options.profile, settings)
    if options.sample:
        load_sample(explorer.library, terminal.show_progress)
    missing = missing_documents(rows, [d.name for d in explorer.library.documents()])
    if missing:
        print(f"evaluate: {_missing_sentence(missing)}", file=sys.stderr)
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
    rates = [(gate, evaluation.metrics.rate(gate.metric)) for gate in limits]
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


def _missing_sentence(documents: list[str]) -> str:
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


def add_home_options(sub: ArgumentParser) -> list[ArgumentParser]:
    """Add the options of the command `home`. Returns the parsers of its subcommands."""
    action_table = {
        "check": ("can all of it be read? What can be made anew is", _check),
        "backup": ("write it into one file", _backup),
        "restore": ("make a new folder from that", _restore),
    }
    actions, parsers = sub.add_subparsers(dest="action", required=True), []
    for name, (help_text, run) in action_table.items():
        parsers.append(actions.add_parser(name, help=help_text))
        parsers[-1].set_defaults(run=run)
        if name != "check":
            parsers[-1].add_argument("file", type=Path, metavar="FILE.zip")
    return parsers


def _findings(findings: Iterable[Finding]) -> int:
    """Print a line for each part of the run-time folder. Returns 1 if one of them is broken, else 0."""
    all_findings = list(findings)
    for finding in all_findings:
        line(f"{finding.part}: {finding.state}: {finding.sentence}", 0)
    return int(any(finding.state == "broken" for finding in all_findings))


def _check(options: Namespace) -> int:
    return _findings(check(home_folder(options.home)))


def _backup(options: Namespace) -> int:
    count = backup(home_folder(options.home), options.file)
    return line(f"{options.file.name} holds {count} files; keep it where only you can read it.", 0)


def _restore(options: Namespace) -> int:
    if options.home is None:
        raise BackupError("A backup is restored into a new folder; name it with --home DIR.")
    restore(options.file, options.home)
    print("Restored; what it holds:", file=sys.stderr)
    return _findings(check(options.home))


HOST, PORT = "127.0.0.1", 8600


def add_serve_options(sub: ArgumentParser) -> None:
    sub.add_argument("--host", default=HOST, help=f"address to listen at; default: {HOST}, this computer only")
    sub.add_argument("--port", type=int, default=PORT, help=f"default: {PORT}; 0 takes a free one")


def serve(options: Namespace) -> int:
    """Answer HTTP requests until Ctrl-C; print the address on stdout.

    Raises AccessError if there are no tokens and the address is public or the app runs in a school.
    """
    from core.service.app import TOKENS, service, tokens  # FastAPI takes half a second to import

    preset, settings = preset_of(options), settings_of(options)
    if not tokens() and mode() == "school":
        raise AccessError(f"In a school only who has a token is answered; name some in {TOKENS}.")
    if not tokens() and options.host not in (HOST, "localhost"):
        raise AccessError(f"Others than this computer are answered only with tokens; name some in {TOKENS}.")
    listening_socket = _listening(options.host, options.port)
    explorer = open_explorer(options.home, options.profile, settings)
    recorder = DecisionRecorder(options, preset, explorer.settings, "service")
    app = service(explorer, preset, recorder)
    print(f"http://{options.host}:{listening_socket.getsockname()[1]}", flush=True)
    Context().run(_run, app, listening_socket)  # callers do not inherit the operator's rights
    return recorder.code


def _run(app: object, listening: socket.socket) -> None:
    import uvicorn

    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False, log_config=None)
    uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """Open the listening socket. It is done before models are loaded, so that a port in use fails at once."""
    try:
        return socket.create_server((host, port), backlog=2048)
    except (OSError, OverflowError) as error:
        cause = getattr(error, "strerror", None) or error
        raise SettingError(f"{host}:{port} cannot be listened at ({cause}); name another --host or --port.") from error
