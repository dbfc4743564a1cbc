"""The stored figures of the sample banks: what was measured beside what was asked for, read from data/measured."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.banks import SAMPLE_BANKS
from core.evaluation.outcomes import Rate

MEASURED = Path(__file__).parents[2] / "data" / "measured"


class FiguresError(ValueError):
    """A table is asked for whose figures no command has stored."""


def measured(name: str, folder: Path | None = None) -> Any:
    """What a command stored under this name, in another folder when one is given; FiguresError when it has not run."""
    path = (folder or MEASURED) / f"{name}.json"
    if not path.is_file():
        raise FiguresError(f"{path.name} has not been measured; run the command that the README names for it.")
    return json.loads(path.read_text(encoding="utf-8"))


def share(rate: Mapping[str, Any]) -> str:
    """A rate as people read it: "12 of 60 (20 %, 12-32)", the interval at 95 %."""
    return Rate(count=rate["count"], n=rate["n"]).said


def sample_marks() -> tuple[str, str]:
    """What was measured of the sample banks, and the table of its marks; both empty, or an error, as `sample_table`."""
    stored = sample_counts()
    return (about_sample(stored), marks_table(stored)) if stored else ("", "")


def sample_counts() -> Any:
    """The counts of the sample banks, None when there are none; FiguresError when they are of something else."""
    if not (MEASURED / "sample_bank.json").is_file():
        return None
    stored = measured("sample_bank")
    if stored["bank"] != SAMPLE_BANKS:
        raise FiguresError(f"sample_bank.json was measured on {stored['bank']}; measure it without --bank.")
    if stored["missing_documents"]:
        raise FiguresError(
            f"sample_bank.json was measured without {', '.join(stored['missing_documents'])}; measure it with --sample."
        )
    return stored


def about_sample(stored: Mapping[str, Any]) -> str:
    asked, judged = (stored[group]["all"]["n"] for group in ("questions", "answers"))
    return (
        f"The {stored['bank']}: {asked} questions and {judged} answers to judge, preset {stored['preset']}, "
        f"{stored['profile']} models, measured on {stored['date']}."
    )


def marks_table(stored: Mapping[str, Any]) -> str:
    """What was asked for beside what was measured."""
    rows = ["| mark | asked for | measured | |", "|---|---|---|---|"]
    for name, least, most, rate in marks(stored["questions"]["kinds"], stored["answers"]["kinds"]):
        if rate.share is None or (least, most) == (0, 1):
            asked, met = "as it is", ""
        else:
            asked = f"at least {100 * least:.0f} %" if least else f"at most {100 * most:.0f} %"
            met = "met" if least <= rate.share <= most else "**missed**"
        rows.append(f"| {name} | {asked} | {share(rate.row())} | {met} |")
    return "\n".join(rows)


def marks(asked: Mapping[str, Any], judged: Mapping[str, Any]) -> list[tuple[str, float, float, Rate]]:
    """(what is counted, least share, largest share, its rate) of every mark that the banks are measured against."""
    off_topic, vague = asked["off_topic"]["refused"]["all"], asked["vague"]["clarified"]["all"]
    answerable, pairs = asked["answerable"]["answered"]["all"], judged["pair"]
    return [
        ("off-topic questions answered", 0, 0, _together(off_topic, "wrong_answer")),
        ("vague questions asked back or refused", 0.9, 1, _together(vague, "clarified", "right_refusal")),
        ("answerable questions answered with the fact", 0.8, 1, _together(answerable, "right_answer")),
        ("altered answers delivered", 0, 1, _together(pairs["altered"]["all"], "delivered")),
        ("altered answers given out with what is false in them", 0, 1, _together(pairs["altered"]["all"], "falsehood")),
        ("supported answers refused", 0, 1, _together(pairs["supported"]["all"], "refused")),
    ]


def _together(counted: Mapping[str, Any], *names: str) -> Rate:
    """How many became any of `names`."""
    return Rate(count=sum(counted[name]["count"] for name in names), n=counted["n"])
