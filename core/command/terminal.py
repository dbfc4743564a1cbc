"""What a person at a terminal sees: lines, progress that is written over, a verdict in words."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from core.chain import Verdict

_WIDE = 100
"""Letters of the line of progress."""


def line(text: str, code: int) -> int:
    """A line of its own on stdout, whatever stands on the terminal; gives `code` back."""
    clear()
    print(text, flush=True)
    return code


def shown(progress: Any) -> None:
    """Progress on stderr, on one line that is written over, when a person watches."""
    if sys.stderr.isatty():
        done = f"{progress.page} of {progress.pages} pages, {progress.seconds_left:.0f} s left"
        where = f"{progress.document}: {progress.step}, {done}"
        print(f"\r{where:<{_WIDE}.{_WIDE}}", end="", file=sys.stderr, flush=True)


def clear() -> None:
    """Take the line of progress away."""
    if sys.stderr.isatty():
        print(f"\r{'':<{_WIDE}}\r", end="", file=sys.stderr, flush=True)


def verdict_in_words(found: dict[str, Any], verdict: Verdict) -> str:
    """A verdict for a person at a terminal."""
    lines = [found["route"].upper() + ": " + found["answer"], f"evidence {found['confidence']:.0f}/100"]
    lines.append("route: " + " > ".join(found["steps"]))
    if verdict.explanation:
        lines.append(verdict.explanation)
    lines += [f"  {_changed(change)}" for change in found["changes"] if change["done"] != "kept"]
    lines += [f"  {r['name']}: searched for {r['query']!r}" for r in found["rounds"] if r["name"].startswith("refined")]
    lines += [f"  failed: {verdict.checks[n].name}: {verdict.checks[n].why}" for n in found["failed"]]
    cited = {c for s in verdict.sentences for c in s.citations} if verdict.answered else {1}
    for place, passage in enumerate(found["passages"], 1):
        if place in cited:
            lines.append(f"  [{place}] {passage['document']}, page {passage['page']}")
    lines += [f"  try: {q}" for q in found["suggestions"]]
    return "\n".join(lines)


def _changed(change: dict[str, Any]) -> str:
    """What became of one sentence, for a person at a terminal."""
    return f"{change['done'].replace('_', ' ')}: {change['after'] or change['before']} ({change['why']})"


def with_time_left(done: Iterable[Any], total: int) -> Iterator[Any]:
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
    clear()


def figure_line(name: str, figure: dict[str, Any]) -> str:
    if figure["value"] is None:
        return f"{name:<24}{figure['note']}"
    ratio = "" if figure["ratio"] is None else f"  {figure['ratio']:.2f} x {figure['baseline']}"
    return f"{name:<24}{figure['value']:>10.2f} {figure['unit']:<14}{ratio}  (n {figure['n']}) {figure['note']}"
