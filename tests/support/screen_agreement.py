"""What must hold between the statements that the Ask page makes about one question, read from the texts that it draws."""

import re

from core.check import Check
from core.presentation.check_tiles import failing, tally, tile
from core.words import REASONS
from pages.components.ask.check_lanes import stopped_by
from pages.components.ask.confidence import confidence_text, has_search
from pages.components.ask.evidence import grid_html, no_grid, title
from pages.components.ask.verdict_box import counts, figures, reason

SUPPORTED = re.compile(
    r"\*\*(the one sentence|both sentences|all \d+ sentences)\*\* (of the draft )?(is|are) supported"
)
DENIED = ("low_grounding", "hallucination_detected")
_LINE = re.compile(r"(?P<value>-?[\d.]+)[^,]*, (?P<word>needs|at most) (?P<limit>-?[\d.]+)")
_FAULTS = re.compile(r"(?P<count>[\d.]+) [^,]+, none allowed")


def require_agreement(verdict, preset):
    """Raise AssertionError if two statements on the screen of this verdict disagree."""
    counts_and_reason(verdict, preset)
    refusal_and_checks(verdict)
    search_and_topic(verdict, preset)
    tiles_and_counts(verdict)
    values_and_limits(verdict)
    evidence_and_tile(verdict)
    if not verdict.parts and not no_grid(verdict):
        grid_and_title(verdict, preset)


def counts_and_reason(verdict, preset):
    """The count of supported sentences agrees with the reason and with the title of the grid."""
    text, is_supported = reason(verdict).replace("\\", ""), SUPPORTED.search(figures(verdict, preset))
    if not verdict.answered and is_supported:
        assert not any(REASONS[denied].sentence in text for denied in DENIED)
        assert title(verdict).startswith("The book supports") and "withheld: " in figures(verdict, preset)
    if title(verdict).startswith("The book supports"):
        assert not any(REASONS[denied].sentence in verdict.explanation for denied in DENIED)
        assert verdict.answered or is_supported or "sentence" not in figures(verdict, preset)
    if verdict.answered and is_supported and not verdict.parts:  # only what goes out as it was written
        assert not re.search(
            "not supported|(None|Neither) .*is clearly supported|not clearly supported", title(verdict)
        )
    if verdict.stage in ("query checks", "clarity"):  # an answer that was not judged does not count as withheld
        assert "sentence" not in figures(verdict, preset)


def refusal_and_checks(verdict):
    """A refusal names every check with a cross that blocks, with the numbers of its tile; an answer names none."""
    text = stopped_by(verdict).replace("\\", "")
    if verdict.route == "deliver":
        assert text == ""
    elif not verdict.parts and verdict.route != "clarify":
        for result in failing(verdict.checks.values())[0]:
            name, line = Check.registry[result.name].short, tile(result).line
            assert f"{name}: {line}" in text or f"“{name}” ({line})" in text


def search_and_topic(verdict, preset):
    """Without a search there is neither an evidence figure nor a passage; the topic is missed only where it fails."""
    assert ("Evidence confidence" in figures(verdict, preset)) == has_search(verdict)
    assert has_search(verdict) or "Nothing was searched" in no_grid(verdict)
    if verdict.round.case.kind != "question" or verdict.route == "clarify":
        assert not has_search(verdict)
    if verdict.checks["topic_relevance"].state == "passed":
        assert "not on a topic" not in reason(verdict)


def tiles_and_counts(verdict):
    """The phrase above the tiles names the tiles with a cross that block, and counts the others."""
    results = list(verdict.checks.values())
    states, phrase = [tile(r).state for r in results], tally(results)
    blocking, monitors = failing(results)
    assert states.count("failed") == len(blocking) + len(monitors)
    assert phrase[1:] in counts(verdict)
    ran, passed = len(states) - states.count("not_run"), states.count("passed")
    assert all(Check.registry[r.name].short in phrase for r in blocking) and ("failed" in phrase) == bool(blocking)
    numbers = [int(number) for number in re.findall(r"\b\d+\b", phrase.partition(" failed")[2] or phrase)]
    if blocking:
        assert numbers == ([ran - len(blocking)] if ran > len(blocking) else [])
    elif monitors:
        assert numbers == [passed, ran, len(monitors)]
    elif ran > 1:
        assert numbers == [passed] == [ran]


def values_and_limits(verdict):
    """A drawn value lies on the side of its drawn limit that its mark and its bar say."""
    for result in (r for r in verdict.checks.values() if r.margin is not None):
        tile_, line = tile(result), tile(result).line
        assert (tile_.margin >= 0) == (result.margin >= 0) == (tile_.state == "passed"), line
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
