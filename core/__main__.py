"""python -m core: everything that the app does with data, without a browser."""

import argparse
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.command import commands, terminal
from core.command import judge as judge_command
from core.command import tune as tune_command
from core.errors import FOR_PEOPLE
from core.lab import commands as lab_commands
from core.library.store import LOCAL
from core.library.store import VARIABLE as LIBRARY
from core.platform.access import operator


def parser() -> argparse.ArgumentParser:
    """The parser of the command line. Scripts of users rely on its commands, options and fields: rename none."""
    root = argparse.ArgumentParser(prog="python -m core", description=__doc__)
    commandline = root.add_subparsers(dest="command", required=True)

    def add_command(name: str, run: Callable[..., Any], help_text: str) -> argparse.ArgumentParser:
        own = commandline.add_parser(name, help=help_text)
        own.set_defaults(run=run)
        return own

    ingest = add_command("ingest", commands.ingest, "put PDFs into the library, a line a file")
    commands.add_ingest_options(ingest)

    ask = add_command("ask", commands.ask, "ask one question")
    ask.add_argument("question")
    ask.add_argument("--class-number", type=int)
    ask.add_argument("--subject")
    ask.add_argument("--document", action="append", default=[])
    ask.add_argument("--pages", action="append", default=[], metavar="FIRST-LAST")
    ask.add_argument("--answer", metavar="TEXT", help="judge this answer instead of writing one")
    ask.add_argument(
        "--history", action="append", default=[], metavar="ROLE:TEXT", help="a turn before it: user, assistant or tool"
    )
    ask.add_argument("--tool-result", action="append", default=[], metavar="TEXT", help="what a tool gave for it")

    judge = add_command("judge", judge_command.judge, "judge every row of a file: JSONL, JSON, CSV or Parquet")
    judge_command.add_options(judge)

    evaluate = add_command("evaluate", commands.evaluate, "count the outcomes of a bank's rows")
    evaluate.add_argument(
        "--bank", type=Path, metavar="bank.jsonl", help="JSONL or CSV; default: the sample banks, reporting half"
    )
    evaluate.add_argument("--report", type=Path, metavar="OUT.html", help="also write a page that prints well")
    for end, example in (("under", "right=0.8"), ("over", "wrong=0.05")):
        text = f"exit 1 when this share is {end} its limit"
        evaluate.add_argument(f"--fail-{end}", action="append", default=[], metavar=example, help=text)
    evaluate.add_argument(
        "--fail-without-guarantee", nargs="?", const="0.05", metavar="SHARE",
        help="exit 1 unless the bank proves, with 95 %% confidence, that of the answers given out at most this share "
        "(0.05) is wrong",
    )  # fmt: skip

    tune = add_command("tune", tune_command.tune, "propose thresholds from a bank, or a limit with a guarantee")
    tune.add_argument("--bank", type=Path, required=True, metavar="bank.jsonl")
    tune.add_argument("--max-over-refusal", type=float, metavar="SHARE", help="of what should be answered, 0 to 1")
    tune.add_argument(
        "--wrong-cost", type=float, default=5.0, metavar="N", help="what a wrong one costs, in wrong refusals"
    )
    tune_command.add_guarantee_options(tune)
    tune.add_argument(
        "--abstention-sweep", action="store_true", help="sweep the retrieval score of abstention detection instead"
    )

    serve = add_command("serve", commands.serve, "answer over HTTP: judge, ask, presets, health, metrics")
    commands.add_serve_options(serve)

    bench = add_command("bench", lab_commands.bench, "the benchmark: medians and ratios")
    bench.add_argument("--all", action="store_true", help="the figures that take long, too")
    bench.add_argument("--only", action="append", default=[], metavar="NAME", help="run only this figure")

    journal = add_command("journal", commands.journal, "the decisions that were written down, as CSV or JSON")
    commands.add_journal_options(journal)

    home = add_command("home", commands.home, "the run-time folder: is it whole, keep it, get it back")
    actions = commands.add_home_options(home)

    docs = add_command("docs", lab_commands.docs, "rewrite the generated tables of the README")

    for sub in (ask, evaluate, tune, bench):
        sub.add_argument("--json", action="store_true")
    for sub in (evaluate, tune):
        sub.add_argument("--sample", action="store_true", help="put the sample chapters into the library first")
    for sub in (ask, judge, evaluate, tune, serve):
        terminal.add_options(sub)
    for sub in (judge, evaluate, tune):
        sub.add_argument("--ray", metavar="ADDRESS", help="measure on this Ray cluster, HOST:PORT; local: this machine")
    for sub in (ask, judge, serve):
        sub.add_argument("--journal", action="store_true", help="write each decision into the journal")
    for sub in (ingest, ask, judge, evaluate, tune, serve, bench, journal, *actions, docs):
        sub.add_argument("--home", type=Path, metavar="DIR", help="run-time folder; a new one starts empty")
        text = f"use the vectors in this Chroma server; {LOCAL}: in the folder"
        sub.add_argument("--library", metavar="http://HOST:PORT", help=text)
    return root


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 0, 1 after an error or a missed limit such as `--fail-under`, or 130 after Ctrl-C."""
    options = parser().parse_args(arguments)
    if getattr(options, "library", None):
        os.environ[LIBRARY] = options.library
    logging.basicConfig(level=logging.ERROR, format="%(name)s: %(message)s")
    try:
        with operator():  # a person with a terminal on this computer has all rights
            return options.run(options)
    except FOR_PEOPLE as error:
        return _fail(f"{options.command}: {error}", 1)
    except BrokenPipeError:  # the reader has closed the pipe; discard what is still buffered
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        where = f"{Path(error.filename).name}: " if isinstance(error.filename, str) else ""
        return _fail(f"{options.command}: {where}{error.strerror or error}; free disk space or name another place.", 1)
    except MemoryError:
        return _fail(f"{options.command}: the memory of this computer is too small for this; take fewer or less.", 1)
    except KeyboardInterrupt:
        return _fail(f"{options.command}: stopped.", 130)


def _fail(sentence: str, code: int) -> int:
    print(sentence, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # a file's name may hold what the terminal cannot show
    sys.exit(main())
