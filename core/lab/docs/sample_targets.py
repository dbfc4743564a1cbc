"""The targets of the sample banks beside their stored measurement."""

from collections.abc import Mapping
from typing import Any

from core.banks import SAMPLE_BANKS
from core.evaluation.outcomes import Rate
from core.lab.docs.dates import changes_since
from core.lab.docs.measurements import FiguresError, is_measured, read_measurement
from core.lab.figure_files import table


def sample_targets() -> tuple[str, str]:
    """A sentence on the measurement of the sample banks, and the table of its targets; both "" if there is none."""
    sample = sample_counts()
    return (about_sample(sample), targets_table(sample)) if sample else ("", "")


def sample_counts() -> Any:
    """The stored counts of the sample banks; None if there are none.

    Raises FiguresError if they were measured on another bank, or without some of the sample documents.
    """
    if not is_measured("sample_bank"):
        return None
    sample = read_measurement("sample_bank")
    if sample["bank"] != SAMPLE_BANKS:
        raise FiguresError(f"sample_bank.json was measured on {sample['bank']}; measure it without --bank.")
    if sample["missing_documents"]:
        raise FiguresError(
            f"sample_bank.json was measured without {', '.join(sample['missing_documents'])}; measure it with --sample."
        )
    return sample


def about_sample(sample: Mapping[str, Any]) -> str:
    counts = [sample[group]["all"]["n"] for group in ("questions", "answers")]
    return (
        f"The {sample['bank']}: {counts[0]} questions and {counts[1]} answers to judge, preset {sample['preset']}, "
        f"{sample['profile']} models, measured on {sample['date']}.{changes_since(sample['date'])}"
    )


def targets_table(sample: Mapping[str, Any]) -> str:
    """The targets beside the measured rates, as a Markdown table."""
    rows = []
    for name, lowest, highest, rate in marks(sample["questions"]["kinds"], sample["answers"]["kinds"]):
        if rate.share is None or (lowest, highest) == (0, 1):
            target, result = "no target", ""
        else:
            target = f"at least {100 * lowest:.0f} %" if lowest else f"at most {100 * highest:.0f} %"
            result = "met" if lowest <= rate.share <= highest else "**missed**"
        rows.append((name, target, rate.text, result))
    return table(("metric", "target", "measured", ""), rows)


def marks(questions: Mapping[str, Any], answers: Mapping[str, Any]) -> list[tuple[str, float, float, Rate]]:
    """(what is counted, lowest share, highest share, rate) for every target of the banks."""
    off_topic, vague = questions["off_topic"]["refused"]["all"], questions["vague"]["clarified"]["all"]
    answerable = questions["answerable"]["answered"]["all"]
    supported, altered = (answers["pair"][expected]["all"] for expected in ("supported", "altered"))
    return [
        ("off-topic questions answered", 0, 0, _combined_rate(off_topic, "wrong_answer")),
        ("vague questions clarified or refused", 0.9, 1, _combined_rate(vague, "clarified", "right_refusal")),
        ("answerable questions answered with the fact", 0.8, 1, _combined_rate(answerable, "right_answer")),
        ("altered answers delivered", 0, 1, _combined_rate(altered, "delivered")),
        ("altered answers given out with what is false in them", 0, 1, _combined_rate(altered, "falsehood")),
        ("supported answers refused", 0, 1, _combined_rate(supported, "refused")),
    ]


def _combined_rate(numbers: Mapping[str, Any], *names: str) -> Rate:
    """The rate at which any of these outcomes occurs."""
    return Rate(count=sum(numbers[name]["count"] for name in names), n=numbers["n"])
