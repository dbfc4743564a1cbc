"""A verdict in words: its headline, its figures, and why an answer does not go out."""

from core.decide import Verdict
from core.decide.verdicts import counted_sentences
from core.thresholds import Preset
from core.words import REASONS, ROUTES
from pages.components.ask.band import confidence_text, has_search
from pages.components.shared.safe_display import all_of, plain

LOOKS = {
    "deliver": ":green[:material/check_circle:]", "deliver_part": ":green[:material/rule:]",
    "deliver_corrected": ":green[:material/spellcheck:]", "clarify": ":blue[:material/help:]",
    "refuse": ":red[:material/cancel:]", "escalate": ":blue[:material/support_agent:]",
}  # fmt: skip
"""Icon and colour of each route, as Markdown."""
HEADLINES = {route: f"{LOOKS[route].removesuffix(']')} {sign.title.upper()}]" for route, sign in ROUTES.items()}
"""Icon, words and colour of each route, as Markdown; each of the three tells the routes apart by itself."""
HANDED_OVER = "A person should look at the question; no answer is shown."
OF_WHAT_GOES_OUT = {"deliver_corrected": " of the corrected answer", "deliver_part": " of the shortened answer"}
"""The end of the count of supported sentences, by route, if the delivered text is not the draft."""
LOOSELY = "The closest passages of these books are only loosely related to this question."
"""The sentence shown instead of that of the reason off_topic if the check `topic_relevance` passes."""
_READABLE_ERRORS = ("ModelError: ", "LibraryError: ")
"""Prefixes of the cause of an error; what follows one of them is a sentence for users."""


def in_colour(route: str, text: str) -> str:
    """`text` as bold Markdown in the colour of a route."""
    return f"{LOOKS[route].partition('[')[0]}[**{plain(text)}**]"


def headline(verdict: Verdict) -> str:
    """Icon and word of a verdict, as Markdown."""
    return HEADLINES[verdict.route]


def reason(verdict: Verdict) -> str:
    """The primary reason in plain words, as Markdown. If a check broke with an error that users can read, or if a
    person is asked, the text says so."""
    is_near = verdict.checks["topic_relevance"].state == "passed"
    text = LOOSELY if verdict.primary_reason == "off_topic" and is_near else verdict.explanation
    errors = (r.why for r in verdict.checks.values() if r.blocks and r.cause == "error")
    readable = (cause.removeprefix(start) for cause in errors for start in _READABLE_ERRORS if cause.startswith(start))
    return plain(f"{text} {next(readable, '')} {HANDED_OVER if verdict.route == 'escalate' else ''}")


def figures(verdict: Verdict, preset: Preset) -> str:
    """Evidence confidence and supported sentences as Markdown, without a figure that was not measured."""
    return " · ".join(text for text in (evidence_text(verdict), support_text(verdict, preset)) if text)


def evidence_text(verdict: Verdict) -> str:
    """The evidence confidence as Markdown; "" without a search."""
    if not has_search(verdict):
        return ""
    parts = sorted((p for p in verdict.parts or (verdict,) if has_search(p)), key=lambda part: part.confidence)
    ends = dict.fromkeys(confidence_text(part) for part in (parts[0], parts[-1]))
    return f"Evidence **{' to '.join(ends)} of 100**{' in its parts' if verdict.parts else ''}"


def support_text(verdict: Verdict, preset: Preset) -> str:
    """How many of the delivered sentences are supported, as Markdown. Of a refused draft no sentence is counted: why it
    is withheld stands there instead."""
    if not verdict.answered and verdict.stage in ("query checks", "clarity"):
        return ""
    sentences = counted_sentences(verdict, preset)
    if verdict.round.case.draft is None or not sentences:
        return "no sentence to support"
    if not has_search(verdict):
        return "it states nothing that needs a source" if verdict.answered else "nothing was compared with the library"
    if all(s.abstains for s in sentences):
        return "it only says that there is no answer"
    if all(s.label is None for s in sentences):
        return "support was not measured"
    stating = [s for s in sentences if not s.abstains]
    count, support_count = len(stating), sum(s.supported for s in stating)
    if not verdict.answered:
        return f"draft withheld: {REASONS[verdict.primary_reason].withheld}" if verdict.primary_reason else ""
    of_what = OF_WHAT_GOES_OUT.get(verdict.route, "")
    if support_count < count:
        return f"**{support_count} of {count}** sentence{'s' * (count > 1)}{of_what} supported"
    return f"**{all_of(count)}**{of_what} {'is' if count == 1 else 'are'} supported"
