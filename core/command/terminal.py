"""Options that the commands share, on how to ask and to decide, and output for a terminal."""

import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from core.book_titles import page_words
from core.case import Trace
from core.checks import all_checks
from core.decide import Verdict, offered_questions, overall_confidence
from core.decide.delivery import confidences
from core.platform.home import home_folder
from core.presets import with_settings
from core.presets.by_class import for_scope, limits_by_class
from core.presets.saved import named_preset
from core.question import Scope
from core.reply.display_rounding import whole
from core.settings import BOUNDS, JUDGES, STAGE_1, WRITERS, Settings
from core.settings.domains import domains, use_home
from core.text.hedges import PATTERNS, compile_pattern
from core.thresholds import Preset
from core.words import ROUTES
from core.writers.auto_writer import for_many_questions
from core.writers.endpoint_access import ADDRESS, KEY, MODEL, from_environment

MIN_RETRIEVAL_SCORE = "retrieval_score.min_retrieval_score"
"""The threshold that --abstention-threshold sets: that of the command line of source document C."""
NUMBERS: Mapping[str, tuple[str, type]] = {
    "passages_fetched": ("passages that a search returns", int),
    "passages_read": ("passages that a writer and stage 2 read", int),
    "cosine_read": ("smallest cosine of a passage that is read", float),
    "passages_rechecked": ("passages that a recheck reads", int),
    "cosine_rechecked": ("smallest cosine of a passage that a recheck reads", float),
    "hybrid_share": ("share of the hybrid score in the score of a passage", float),
}
"""The settings that are numbers, each an option of the command line: (what it is, its type)."""
ANYWHERE = Scope()
"""The scope of a question to the whole library."""
WIDTH = 100
"""Width of the progress line in characters."""


def add_options(sub: ArgumentParser) -> None:
    domain_names = ", ".join(domains())
    sub.add_argument(
        "--domain", default=Settings().domain, help=f"the assistant's domain: {domain_names}, or one saved under --home"
    )
    sub.add_argument(
        "--writer", default=Settings().writer, metavar=f"{{{','.join(WRITERS)}}}",
        help="who writes an answer; auto: the language model local where it is installed, else extractive; for many "
        "questions (judge, evaluate, tune) auto is always extractive",
    )  # fmt: skip
    sub.add_argument("--stage-1", default="rules", choices=STAGE_1, help="who judges whether an answer is in scope")
    sub.add_argument("--judge", default="none", choices=JUDGES, help="a language model that also judges and corrects")
    sub.add_argument("--consensus", action="store_true", help="the writer writes two more drafts to compare")
    for name, (help_text, kind) in NUMBERS.items():
        low, high = BOUNDS[name]
        default = getattr(Settings(), name)
        help_text = f"{help_text}, {low:g} to {high:g}; default: {default:g}"
        sub.add_argument(f"--{name.replace('_', '-')}", type=kind, default=default, metavar="N", help=help_text)
    sub.add_argument("--pattern", action="append", default=[], metavar="REGEX", help="one more hedging pattern")
    sub.add_argument(
        "--without-pattern", action="append", default=[], choices=PATTERNS, help="a built-in pattern to switch off"
    )
    sub.add_argument("--endpoint", metavar="URL", help=f"server of OpenAI's protocol; default: {ADDRESS}")
    sub.add_argument("--model", metavar="NAME", help=f"a model of that server; default: {MODEL}; its key: {KEY}")
    sub.add_argument("--profile", default="bundled")
    sub.add_argument("--preset", default="default", help="a built-in preset, or one saved under --home")
    sub.add_argument("--abstention", action="store_true", help="let the three layers of abstention detection block")
    sub.add_argument(
        "--abstention-threshold", type=float, metavar="N", help=f"{MIN_RETRIEVAL_SCORE}; implies --abstention"
    )
    sub.add_argument("--set", action="append", default=[], metavar="check.threshold=V", dest="assignments")


def preset_of(options: Namespace, scope: Scope = ANYWHERE) -> Preset:
    """The preset that decides on questions with this scope. It is that of --preset, then changed by the saved limits of
    the scope's class and subject, then by --abstention and --set.

    --abstention lets all checks of source document C block, at their default limits, and what they stop is not
    corrected; --abstention-threshold replaces one of these limits.
    """
    home, assignments, threshold = home_folder(options.home), [], options.abstention_threshold
    base = for_scope(named_preset(options.preset, home), scope, limits_by_class(home))
    if options.abstention or threshold is not None:
        checks = [check for check in all_checks() if check.source_document == "C"]
        limits = {t.key: t.default for check in checks for t in check.thresholds().values()}
        limits |= {MIN_RETRIEVAL_SCORE: threshold} if threshold is not None else {}
        assignments = [f"{key}={limit}" for key, limit in (limits | {"hedging.abstention": 1}).items()]
        assignments += [f"{check.name}.mode=blocks" for check in checks]
    return with_settings(base, [*assignments, *options.assignments])


def settings_of(options: Namespace) -> Settings:
    """The settings for measuring. A server that is not named on the command line is taken from the environment."""
    url, model = from_environment()
    use_home(home_folder(options.home))
    return Settings(
        writer=options.writer, stage_1=options.stage_1, judge=options.judge,
        consensus=options.consensus,
        patterns=tuple(p for p in options.pattern if compile_pattern(p)), patterns_out=tuple(options.without_pattern),
        **{name: getattr(options, name) for name in NUMBERS},
        endpoint=options.endpoint or url,
        endpoint_model=options.model or model, domain=options.domain,
    )  # fmt: skip


def settings_for_rows(options: Namespace) -> Settings:
    """`settings_of`, for a command that measures every row of a file: the writer `auto` becomes `extractive`."""
    return for_many_questions(settings_of(options))


def show(text: str) -> None:
    """Show `text` on the progress line: one line of stderr that is overwritten, if stderr is a terminal."""
    if sys.stderr.isatty():
        print(f"\r{text:<{WIDTH}.{WIDTH}}\r", end="", file=sys.stderr, flush=True)


def line(text: str, code: int) -> int:
    """Print a line on stdout after clearing the progress line. Returns `code`."""
    show("")
    print(text, flush=True)
    return code


def show_progress(progress: Any) -> None:
    counts = f"{progress.page} of {progress.pages} pages, {progress.seconds_left:.0f} s left"
    show(f"{progress.document}: {progress.step}, {counts}")


def verdict_in_words(trace: Trace, verdict: Verdict) -> str:
    """A verdict as sentences for a terminal, with the cited passages; for a refusal with the best passage alone."""
    from core.reports.templating import TEMPLATES  # a command that prints no verdict does not need it

    citations = {c for s in verdict.sentences for c in s.citations} if verdict.answered else {1}
    passages = enumerate(verdict.round.case.passages, 1)
    text = TEMPLATES.get_template("verdict.txt").render(
        trace=trace, verdict=verdict, routes=ROUTES, confidences=confidences, whole=whole, page_words=page_words,
        cited=[(n, passage, verdict.page_of(n - 1)) for n, passage in passages if n in citations],
        questions=offered_questions(trace, verdict), overall=overall_confidence(verdict),
    )  # fmt: skip
    return text.rstrip()


def track_progress(items: Iterable[Any], total: int) -> Iterator[Any]:
    """Yield the items of `items`, and print the time left on stderr: on one overwritten line of a terminal, or, without
    a terminal, as one line for each tenth of `total`.
    """
    started, step = time.monotonic(), max(1, total // 10)
    for number, item in enumerate(items, 1):
        seconds_left = (time.monotonic() - started) / number * (total - number)
        status = f"{number} of {total} rows, {seconds_left:.0f} s left"
        show(status)
        if not sys.stderr.isatty() and (number % step == 0 or number == total):
            print(status, file=sys.stderr, flush=True)
        yield item
    show("")
