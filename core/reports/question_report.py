"""One question from end to end as one HTML file: what was asked and said, why, and everything that it rests on."""

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from core.case import Question, Trace
from core.chain import Verdict
from core.chain.check_results import passed
from core.chain.display_rounding import beside, threshold_value
from core.chain.facts import limits, zones
from core.chain.messages import ENDS
from core.chain.verdicts import counted_sentences
from core.check import Check
from core.checks import all_thresholds
from core.presets import differences, modes_of, titled, told, values
from core.reports.html_page import html_page, table, two
from core.reports.question_evidence import PagePicture, checks, passages, sentences
from core.text.book_titles import book_title
from core.thresholds import Preset

_STYLE = """
.good { color: #00695c; } .bad { color: #b23a00; } .quiet { color: #5a6370; }
.verdict { border: 1px solid #bbb; border-left: .4rem solid #5a6370; padding: .2rem 1rem .6rem; margin: 1rem 0;
  break-inside: avoid; }
.verdict.good { border-left-color: #00796b; } .verdict.bad { border-left-color: #c43e00; }
.verdict > * { color: #1a1a1a; } .verdict.good > h2 { color: #00695c; } .verdict.bad > h2 { color: #b23a00; }
.verdict h2 { margin: .6rem 0 .3rem; letter-spacing: .04em; } .answer { font-size: 1.1rem; white-space: pre-line; }
svg { width: 100%; max-width: 42rem; height: auto; display: block; margin: .8rem 0; font: 12px Georgia, serif; }
h3 span { font-weight: normal; } h3 small { font-weight: normal; }
blockquote { margin: .2rem 0 .4rem; padding-left: .8rem; border-left: 3px solid #bbb; white-space: pre-line; }
.sentence { break-inside: avoid; } .sentence ul { margin: .2rem 0 .8rem; padding-left: 1.2rem; font-size: .9rem; }
.passage { border: 1px solid #ddd; padding: 0 .8rem; margin: .6rem 0; font-size: .9rem; }
mark { background: #e3ecfb; color: inherit; }
figure { margin: 1rem 0; break-inside: avoid; } figcaption { font-weight: bold; margin-bottom: .4rem; }
figure img { display: block; max-width: 100%; max-height: 50rem; border: 1px solid #bbb; }
@page { @bottom-left { content: "Guardrail Explorer"; font: 9px Georgia, serif; color: #555; }
  @bottom-right { content: counter(page) " of " counter(pages); font: 9px Georgia, serif; color: #555; } }
@media print { html { font-size: 12.5px; } body { font-size: 1rem; }
  .verdict, mark, svg { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  figure img { max-height: 23cm; } }
"""
_LOOKS = {"refuse": "bad", "clarify": "quiet", "escalate": "quiet"}
_ZONES = {"never": "#c43e00", "named_only": "#6f7885", "answer": "#00796b"}
_WRITERS = {
    "extractive": "the library's own sentences", "correction": "the library's own sentences", "given": "a given answer",
    "reply": "a ready reply",
}  # fmt: skip
"""Writers in plain words; others are called as they call themselves."""
_ALL_SAID = "No limit was moved."


@dataclass(frozen=True, kw_only=True)
class Told:
    """What a report tells. `preset` is what decided, `base` the one that was picked, before anything was moved.

    made_with: what else was set, in words, such as {"passages fetched": "8"}. date: when, as it is to be read.
    """

    trace: Trace
    verdict: Verdict
    preset: Preset
    base: Preset
    date: str
    made_with: Mapping[str, str] = field(default_factory=dict)
    pictures: Sequence[PagePicture] = ()


def file_name(query: str) -> str:
    """A name for the report on `query` that any system takes: "report-what-is-sound.html"."""
    words = "-".join(re.findall(r"[a-z0-9]+", query.lower()))[:60].strip("-")
    return f"report-{words}.html" if words else "report.html"


def page(about: Told) -> str:
    """The whole report. All text of others in it is escaped; it loads nothing and runs nothing."""
    query = about.trace.question.query
    parts = [
        f"<p><small>Guardrail Explorer: report of one question, {escape(about.date)}</small></p>",
        f"<h1>{escape(query)}</h1>", *_asked(about), *_verdict(about.verdict, about), *_closely(about),
        *_pages(about.pictures), *_limits(about), *_made_with(about),
    ]  # fmt: skip
    return html_page(f"Report: {query}", parts, style=_STYLE, pictures=True)


def _asked(about: Told) -> Iterator[str]:
    """What a follow-up was taken to ask, where the question looked, and what decided."""
    if understood := about.trace.question.understood:
        yield f"<p>Understood as: <b>{escape(understood)}</b></p>"
    found = differences(about.base, about.preset)
    writer = _writer(about.verdict)
    facts = [_scope(about.trace.question), f"preset {told(about.base, len(found))}", f"answered by {writer}"]
    yield f"<p>{escape(' · '.join(f for f in facts if f))}</p>"


def _scope(question: Question) -> str:
    scope = question.scope
    pages = ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in scope.pages)
    named = [
        f"class {scope.class_number}" if scope.class_number else "", scope.subject,
        ", ".join(map(book_title, scope.documents)), f"pages {pages}" if pages else "",
    ]  # fmt: skip
    return "asked of " + (", ".join(n for n in named if n) or "the whole library")


def _writer(verdict: Verdict) -> str:
    draft = verdict.round.case.draft
    return _WRITERS.get(draft.writer, draft.writer) if draft else "nobody"


def _verdict(verdict: Verdict, about: Told) -> Iterator[str]:
    """The word, what the user gets, the reason in plain words, and the band."""
    yield f'<section class="verdict {_LOOKS.get(verdict.route, "good")}">'
    yield f"<h2>{escape(ENDS[verdict.route].upper())}</h2>"
    yield f'<p class="answer">{escape(verdict.answer)}</p>'
    if verdict.route != "deliver":
        others = " ".join(map(verdict.said_of, verdict.reasons[1:]))
        yield f"<p><b>{escape(verdict.explanation)}</b> {escape(others)}</p>"
    yield f"<p>{escape(_figures(verdict, about.preset))}</p>"
    if verdict.confidence is not None:
        yield band(verdict, about.preset)
    yield f"<p><small>The way: {escape(' › '.join(verdict.steps))}</small></p>"
    yield "</section>"
    draft = verdict.round.case.draft
    if draft and draft.sentences and verdict.route != "deliver" and not verdict.parts:
        yield f"<h2>The answer that was judged</h2>\n<blockquote>{escape(draft.text)}</blockquote>"


def _figures(verdict: Verdict, preset: Preset) -> str:
    """Supported sentences and the tier, each under its own name; the band says the confidence."""
    counted = counted_sentences(verdict, preset)
    read = [s for s in counted if s.label is not None]
    noun = "sentence" if len(counted) == 1 else "sentences"
    said = f"Supported: {sum(s.supported for s in read)} of {len(counted)} {noun}." if read else ""
    tier = f"Stage 2: {verdict.tier} tier." if verdict.tier else ""
    return " ".join(part for part in (said or "No sentence was read against the passages.", tier) if part)


def band(verdict: Verdict, preset: Preset) -> str:
    """The evidence confidence in its band as a drawing: three zones, two limits, one value."""
    named, free = limits(preset)
    drawn = beside(verdict.confidence, named, free, least=0)
    title = f"Evidence confidence {drawn} of 100: how good the passages are"
    bars = [_bar(name, *ends) for name, ends in zones(named, free).items() if ends[1] > ends[0]]
    marks = dict.fromkeys((f"{named:g}", f"{free:g}"))
    ticks = [_words(6 * float(m), 78, m) for m in ("0", *marks, "100") if m not in ("0", "100")]
    x = 6 * verdict.confidence
    arrow = f'<path d="M{x - 7:.1f},20 h14 l-7,12 z" fill="#2556b8"/><path d="M{x:.1f},32 v32" stroke="#fff"/>'
    return (
        f'<svg viewBox="-12 0 624 84" role="img" aria-label="{escape(title)}">\n'
        f'<text x="0" y="12" font-weight="bold">{escape(title)}</text>\n' + "\n".join([*bars, *ticks])
        + f'\n{_words(4, 78, "0")}{_words(594, 78, "100")}{arrow}\n</svg>'
    )  # fmt: skip


def _bar(name: str, low: float, high: float) -> str:
    width, words = 6 * (high - low), name.replace("_", " ")
    said = _words(6 * low + width / 2, 53, words, "#fff") if width > 5.8 * len(words) else ""
    return f'<rect x="{6 * low:g}" y="34" width="{width:g}" height="30" fill="{_ZONES[name]}"/>{said}'


def _words(x: float, y: float, words: str, colour: str = "#1a1a1a") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" fill="{colour}">{escape(words)}</text>'


def _closely(about: Told) -> Iterator[str]:
    """Checks, sentences and passages: of the question, or of each of its parts with a verdict of its own."""
    for n, part in enumerate(about.verdict.parts, 1):
        yield f"<h2>Part {n}: {escape(part.round.case.question.query)}</h2>"
        yield from _verdict(part, about)
        yield from _evidence(part)
    if not about.verdict.parts:
        yield from _evidence(about.verdict)


def _evidence(verdict: Verdict) -> Iterator[str]:
    yield "<h2>Sentences and their evidence</h2>"
    yield from sentences(verdict)
    yield "<h2>Checks</h2>"
    if verdict.delivery and verdict.route in ("deliver_part", "deliver_corrected"):
        again = passed(list(verdict.delivery.checks.values()))
        yield f"<p>Of the answer as it was judged. What goes out instead was checked again: {escape(again)}.</p>"
    yield from checks(verdict.checks)
    yield "<h2>Passages</h2>"
    yield from passages(verdict)


def _pages(pictures: Sequence[PagePicture]) -> Iterator[str]:
    if pictures:
        yield "<h2>The pages</h2>"
    for picture in pictures:
        caption = escape(picture.caption)
        if picture.png:
            data = base64.b64encode(picture.png).decode()
            shown = f'<img alt="{caption}" src="data:image/png;base64,{data}">'
        else:
            shown = f'<p class="quiet">○ {escape(picture.why)}</p>'
        yield f"<figure>\n<figcaption>{caption}</figcaption>\n{shown}\n</figure>"


def _limits(about: Told) -> Iterator[str]:
    """The limits that were moved, then all of them."""
    found, known = differences(about.base, about.preset), all_thresholds()
    yield "<h2>Limits that were moved</h2>"
    if found:
        ways = {"first": "looser", "second": "stricter", "neither": ""}
        heads = (("limit", 46), (titled(about.base.name), 15), ("here", 15), ("unit", 12), ("than the preset", 12))
        drawn = ((_drawn(d.key, d.first), _drawn(d.key, d.second), _unit(d.key), ways[d.stricter]) for d in found)
        yield table(heads, ((_named(d.key), *map(escape, cells)) for d, cells in zip(found, drawn, strict=True)))
    else:
        yield f"<p>{_ALL_SAID}</p>"
    yield "<h2>Appendix: all limits</h2>"
    heads = (("limit", 46), ("here", 12), ("as printed", 12), ("unit", 18), ("stricter", 12))
    here = values(about.preset)
    rows = ((key, _drawn(key, here[key]), _drawn(key, t.default), t.unit, t.stricter) for key, t in known.items())
    yield table(heads, ([_named(key), *map(escape, cells)] for key, *cells in rows))
    idle = [f"{name} {mode}" for name, mode in modes_of(about.preset).items() if mode != "blocks"]
    yield f"<p>Checks that do not block: {escape(', '.join(idle) or 'none')}.</p>"


def _named(key: str) -> str:
    threshold = all_thresholds().get(key)
    return two(threshold.label if threshold else f"Mode: {Check.registry[key.partition('.')[0]].plain}", key)


def _drawn(key: str, value: float | str) -> str:
    return value if isinstance(value, str) else threshold_value(all_thresholds()[key], value)


def _unit(key: str) -> str:
    return all_thresholds()[key].unit if key in all_thresholds() else "mode"


def _made_with(about: Told) -> Iterator[str]:
    yield "<h2>What it was made with</h2>"
    facts = {
        "date": about.date, "preset": told(about.base, len(differences(about.base, about.preset))),
        "answer by": _writer(about.verdict), **about.trace.models, **about.made_with,
        "measured in": f"{about.trace.seconds:.1f} s",
    }  # fmt: skip
    yield table((("what", 30), ("which", 70)), ((escape(k), escape(v)) for k, v in facts.items()))
