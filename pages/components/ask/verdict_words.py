"""A verdict in words and figures: its headline, why an answer does not go out, and the evidence confidence on its
scale."""

import streamlit as st

from core.decide import Verdict
from core.decide.evidence import ZONE_NAMES, limits, zones
from core.decide.verdicts import counted_sentences
from core.reply.display_rounding import whole
from core.thresholds import Preset
from core.words import ROUTES
from pages.components.shared.safe_display import MARKUP, all_of, plain

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
ZONES = {
    "never": ("bad", "too low to answer, below both limits"),
    "named_only": ("quiet", "enough only if you choose the book or its pages"),
    "answer": ("good", "above the limit for a search in any book"),
}
"""CSS class of each zone of the evidence confidence, and its meaning in the title of the picture."""
_NARROW = 20
"""Width of a zone, in percent of the scale, below which its words would be cut: it has none then."""


def in_colour(route: str, text: str) -> str:
    """`text` as bold Markdown in the colour of a route."""
    return f"{LOOKS[route].partition('[')[0]}[**{plain(text)}**]"


def headline(verdict: Verdict) -> str:
    """Icon and word of a verdict, as Markdown."""
    return HEADLINES[verdict.route]


def reason(verdict: Verdict) -> str:
    """The primary reason in plain words, as Markdown. If a check broke with an error that users can read, or if a
    person is asked, the text says so. "" for a question in another language, since the answer itself says that."""
    if verdict.primary_reason == "other_language":
        return ""
    is_near = verdict.checks["topic_relevance"].state == "passed"
    text = LOOSELY if verdict.primary_reason == "off_topic" and is_near else verdict.explanation
    errors = (r.why for r in verdict.checks.values() if r.blocks and r.cause == "error")
    readable = (cause.removeprefix(start) for cause in errors for start in _READABLE_ERRORS if cause.startswith(start))
    return plain(f"{text} {next(readable, '')} {HANDED_OVER if verdict.route == 'escalate' else ''}")


def figures(verdict: Verdict, preset: Preset) -> str:
    """Evidence confidence and supported sentences as Markdown, without a figure that was not measured."""
    return " · ".join(filter(None, (evidence_text(verdict), support_text(verdict, preset))))


def confidence_text(verdict: Verdict) -> str:
    """The evidence confidence, 0 to 100, rounded down."""
    return str(whole(verdict.confidence))


def has_search(verdict: Verdict) -> bool:
    """True if the books were searched for the question or a part of it, and the search did not fail."""
    has_evidence = "retrieve" in verdict.steps and verdict.confidence is not None
    return has_evidence or any(has_search(part) for part in verdict.parts)


def evidence_text(verdict: Verdict) -> str:
    """The evidence confidence as Markdown; "" without a search."""
    if not has_search(verdict):
        return ""
    parts = sorted((p for p in verdict.parts or (verdict,) if has_search(p)), key=lambda part: part.confidence)
    ends = dict.fromkeys(confidence_text(part) for part in (parts[0], parts[-1]))
    return f"Evidence **{' to '.join(ends)} of 100**{' across the parts' if verdict.parts else ''}"


def support_text(verdict: Verdict, preset: Preset) -> str:
    """How many of the delivered sentences are supported, as Markdown; "" for a refusal, whose reason says enough."""
    if not verdict.answered:
        return ""
    sentences = counted_sentences(verdict, preset)
    stating = [s for s in sentences if not s.abstains]
    if verdict.round.case.draft is None or not sentences:
        return "no sentence needs support"
    if not has_search(verdict):
        return "the answer states nothing that needs a source"
    if not stating:
        return "the answer only says that there is no answer"
    if all(s.label is None for s in sentences):
        return "support was not measured"
    count, support_count = len(stating), sum(s.supported for s in stating)
    of_what = OF_WHAT_GOES_OUT.get(verdict.route, "")
    if support_count < count:
        return f"**{support_count} of {count}** sentence{'s' * (count > 1)}{of_what} supported"
    return f"**{all_of(count)}**{of_what} {'is' if count == 1 else 'are'} supported"


def band(verdict: Verdict, preset: Preset) -> None:
    """Draw the evidence confidence on its scale; nothing if there was no search. Where the answer is refused, the scale
    is grey: nothing green stands under a refusal."""
    if has_search(verdict):
        title = f"Evidence confidence {confidence_text(verdict)} of 100: {ZONES[verdict.band][1]}"
        st.html(band_html(title, limits(preset), verdict.confidence, is_grey=not verdict.answered))


def band_html(title: str, ends: tuple[float, float], value: float, *, is_grey: bool) -> str:
    """The evidence confidence on its scale as HTML: zones side by side, a pointer, and below them the limits.

    title: shown on hover, and the text alternative. ends: two limits, 0 to 100: that for a search in named documents,
    and that for any search. value: 0 to 100.
    """
    named_limit, free = ends
    drawn_zones = [
        (ZONES[name][0], high - low, ZONE_NAMES[name] if high - low >= _NARROW else "")
        for name, (low, high) in zones(named_limit, free).items()
        if high > low
    ]
    marks = [("right" if free < 75 else "left", free, f"{free:g}: answer")]  # where the label is beside its limit
    if named_limit < free:
        marks.insert(0, ("left" if named_limit > 5 else "right", named_limit, f"{named_limit:g}"))
    return MARKUP.band(title, drawn_zones, marks, min(max(value, 0.0), 100.0), is_grey)
