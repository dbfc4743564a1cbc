"""What must hold between the statements that the Ask page makes about one question, read from the texts that it draws."""

import re

from core.presentation.check_tiles import failing, tile
from core.words import REASONS
from pages.components.ask.lights import LIGHTS, blocking, by_light, light_state, tiles_of
from pages.components.ask.page_beside import margin_label, marked
from pages.components.ask.sentences import grid_html, line_text, no_grid, sentence_lines, title
from pages.components.ask.verdict_words import confidence_text, figures, has_search, reason

SUPPORTED = re.compile(r"\*\*(the one sentence|both sentences|all \d+ sentences)\*\* (is|are) supported")
DENIED = ("low_grounding", "hallucination_detected")
_LINE = re.compile(r"(?P<value>-?[\d.]+)[^,]*, (?P<word>needs|at most) (?P<limit>-?[\d.]+)")
_FAULTS = re.compile(r"(?P<count>[\d.]+) [^,]+, none allowed")


def require_agreement(verdict, preset):
    """Raise AssertionError if two statements on the screen of this verdict disagree."""
    counts_and_reason(verdict, preset)
    refusal_and_lights(verdict)
    search_and_topic(verdict, preset)
    values_and_limits(verdict)
    evidence_and_tile(verdict)
    if not verdict.parts and not no_grid(verdict):
        grid_and_title(verdict, preset)
        red_pen_and_grid(verdict)
        red_pen_and_what_goes_out(verdict)
        red_pen_and_page(verdict)


def counts_and_reason(verdict, preset):
    """The count of supported sentences agrees with the reason and with the title of the grid."""
    text, is_supported = reason(verdict).replace("\\", ""), SUPPORTED.search(figures(verdict, preset))
    assert verdict.answered or "support" not in figures(verdict, preset)  # only the reason speaks of a refusal
    if title(verdict).startswith("The book supports"):
        assert not any(REASONS[denied].sentence in verdict.explanation for denied in DENIED)
        assert not any(REASONS[denied].sentence in text for denied in DENIED)
    if verdict.answered and is_supported and not verdict.parts:  # only what goes out as it was written
        assert not re.search(
            "not supported|(None|Neither) .*is clearly supported|not clearly supported", title(verdict)
        )
    if verdict.stage in ("query checks", "clarity"):  # an answer that was not judged has no count
        assert "sentence" not in figures(verdict, preset)


def refusal_and_lights(verdict):
    """A light fails exactly if one of its checks fails and blocks; a check that stops an answer is shown as failed."""
    tiles = tiles_of(verdict)
    held, stops = by_light(tiles), failing(verdict.checks.values())[0]
    assert sorted(name for own in held.values() for name in own) == sorted(verdict.checks)
    for light in LIGHTS:
        assert (light_state(held[light]) == "failed") == any(r.name in held[light] for r in stops)
    shown = blocking(verdict, tiles)
    assert list(shown) == ([] if verdict.parts else [r.name for r in stops])
    assert all(one.state == "failed" and one.line for one in shown.values())


def search_and_topic(verdict, preset):
    """Without a search there is neither an evidence figure nor a passage; the topic is missed only where it fails."""
    assert ("Evidence " in figures(verdict, preset)) == has_search(verdict)
    assert has_search(verdict) or "The library was not searched" in no_grid(verdict)
    if verdict.round.case.kind != "question" or verdict.route == "clarify":
        assert not has_search(verdict)
    if verdict.checks["topic_relevance"].state == "passed":
        assert "not on a topic" not in reason(verdict)


def values_and_limits(verdict):
    """A drawn value lies on the side of its drawn limit that its mark and its bar say."""
    for result in (r for r in verdict.checks.values() if r.margin is not None):
        tile_, line = tile(result), tile(result).line
        assert (result.margin >= 0) == (tile_.state == "passed"), line
        if numbers := _LINE.fullmatch(line):
            value, limit = float(numbers["value"]), float(numbers["limit"])
            assert (value >= limit if numbers["word"] == "needs" else value <= limit) == (tile_.state == "passed"), line
        elif faults := _FAULTS.fullmatch(line):
            assert (float(faults["count"]) == 0) == (tile_.state == "passed"), line


def grid_and_title(verdict, preset):
    """As many rows of the grid are marked as failed as the title says."""
    count = len([s for s in verdict.sentences if not s.abstains])
    failed = grid_html(verdict, preset).count("sentence fails") if count == len(verdict.sentences) <= 40 else None
    if failed is None:
        return
    match = re.match(r"(\d+) of \d+ sentences", title(verdict))
    everything = re.match("None of|Neither|This sentence|The one sentence", title(verdict))
    assert failed == (int(match[1]) if match else count if everything else 0)


def evidence_and_tile(verdict):
    """The evidence confidence has the same number in the figures and on its tile."""
    confidence = verdict.checks["confidence"]
    if has_search(verdict) and not verdict.parts and confidence.margin is not None:
        assert float(confidence_text(verdict)) == float(tile(confidence).value.split()[0])


def red_pen_and_grid(verdict):
    """The red pen keeps every sentence that the grid calls supported, and strikes none of them out."""
    for (sentence, page), own in zip(sentence_lines(verdict), verdict.sentences, strict=True):
        assert sentence is own
        assert not (sentence.supported and not sentence.abstains and sentence.state == "open")
        assert not (sentence.supported and "~~" in line_text(sentence, page))


def red_pen_and_what_goes_out(verdict):
    """Nothing is said against a sentence that goes out as it was written, and what the book says instead is a
    sentence."""
    kept = {s.text for s in verdict.delivered_sentences} if verdict.answered else ()
    assert not [s.text for s in verdict.sentences if s.objection and s.text in kept]
    assert all(re.search(r"[.!?][\"'”’)\]]*$", s.instead) for s in verdict.sentences if s.instead)


def red_pen_and_page(verdict):
    """On the page, the sentence of the book that the red pen puts instead is the one that is marked as wrong, and a
    sentence has the mark of the red pen."""
    signs = {"said": ("✓", ":green["), "open": ("?", ":gray["), "fails": ("✗?", ":red[")}
    for index, evidence in enumerate(verdict.round.case.evidence):
        found = marked(verdict, index)
        for n in set(found.values()):
            sentence, (mark, _) = verdict.sentences[n], margin_label(verdict, n)
            assert mark[0] in signs[sentence.state][0] and line_text(sentence).startswith(signs[sentence.state][1])
            assert (mark[0] == "✗") == ("~~" in line_text(sentence))
        told = [
            s for s in verdict.sentences if s.instead_passage == index + 1 and s.instead in evidence.passage.sentences
        ]
        assert all(evidence.passage.sentences.index(s.instead) in found for s in told)
