"""Tables of the sample bank: its outcomes beside their targets, what each check refuses by itself, and the effect of
proposed limits on halves that no search saw.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from core.banks import SAMPLE_BANKS
from core.evaluation.counts import Rate
from core.evaluation.outcomes import ANSWERS, QUESTIONS
from core.lab.docs.measurements import NOT_YET, FiguresError, changes_since, is_measured, read_measurement, share
from core.lab.figure_files import table
from core.lab.figures.checks_alone import BAD, GOOD, NOTHING
from core.presets import FOLDER, modes_of, preset, values
from core.reports.evaluation_report import MEASURES, TIME


def sample_table() -> str:
    """The outcomes of the reporting half of the sample banks: a sentence on the conditions, the targets, and a row for
    each kind of question or answer.

    NOT_YET without figures. Raises FiguresError if they were measured without the chapters or under other conditions.
    """
    stored = sample_counts()
    if stored is None:
        return NOT_YET
    kinds = [_kinds_table(stored[group], names) for group, names in (("questions", QUESTIONS), ("answers", ANSWERS))]
    return "\n\n".join([about_sample(stored), targets_table(stored), *_seeds_table(stored.get("seeds")), *kinds])


def _seeds_table(seeds: Mapping[str, Any] | None) -> list[str]:
    """Text blocks: a table of source document A's measures, with and without the guardrail, and a sentence with the two
    shares of abstentions that source document C asks for. [] if the evaluation did not count them.

    seeds: the stored figures on the source documents, or None.
    """
    if seeds is None:
        return []
    rows = [(label, share(seeds["with"][m]), share(seeds["without"][m])) for m, label in MEASURES.items()]
    time = seeds["latency"]
    if time["n"]:
        rows.append((f"{TIME}, n {time['n']}", f"{time['guarded']:.2f} s", f"{time['without']:.2f} s"))
    abstained = (
        f"Abstained where the library holds no answer: {share(seeds['abstention_accuracy'])}; where it holds one: "
        f"{share(seeds['false_abstention'])}."
    )
    return [table(("", "with the guardrail", "without it"), rows), abstained]


def _kinds_table(group: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """A row for each kind of bank row, expected outcome and alteration, with a column for each outcome.

    An outcome that never occurs has no column; its name is listed below the table. names: the meaning of each outcome.
    """
    drawn = {name: name.replace("_", " ") for name in names if group["all"][name]["count"]}
    rows = []
    for kind, expected in group["kinds"].items():
        for expectation, by_alteration in expected.items():
            for alteration, counts in by_alteration.items():
                label = kind.replace("_", " ") + ("" if alteration == "all" else f": {alteration.replace('_', ' ')}")
                rows.append([label, expectation, counts["n"], *(_cell(counts[name]) for name in drawn)])
    meaning = "; ".join(f"*{title}*: {names[name]}" for name, title in drawn.items())
    absent = ", ".join(name.replace("_", " ") for name in names if name not in drawn)
    grid = table(["kind", "expected", "n", *drawn.values()], rows)
    return f"{grid}\n\n{meaning}." + (f" None: {absent}." if absent else "")


def _cell(rate: Mapping[str, Any]) -> str:
    low, high = rate["interval"]
    return f"{rate['count']} ({100 * rate['share']:.0f} %, {100 * low:.0f}-{100 * high:.0f})"


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


def mode_reasons() -> dict[str, str]:
    """For every check, one sentence on why it blocks or only watches under the default preset."""
    return json.loads((FOLDER / "default.json").read_text(encoding="utf-8"))["why"]


def alone_table() -> str:
    """Tables of the checks: the mode of each under the default preset and why, and how many good and bad cases are held
    back if only this check blocks."""
    modes, reasons = modes_of(preset("default")), mode_reasons()
    if not is_measured("alone"):
        rows = ((f"`{name}`", reasons[name]) for name in modes)
        return f"{NOT_YET}\n\n{table(('check', 'why it blocks or watches'), rows)}"
    stored = read_measurement("alone")
    together = table(
        ("blocks alone", "good refused", "bad caught", "under the default"),
        (
            (_code(name), *(_together(stored, name, some) for some in (GOOD, BAD)), reasons.get(name, ""))
            for name in (NOTHING, *modes)
        ),
    )
    by_group = table(
        ["blocks alone", *(f"{group.replace('_', ' ')}, of {stored['n'][group]}" for group in GOOD + BAD)],
        (
            [_code(name), *(stored["alone"][name][group] for group in GOOD + BAD)]
            for name in (NOTHING, *modes) if name in stored["alone"]
        ),
    )  # fmt: skip
    return "\n\n".join([_about(stored), together, by_group])


def _code(name: str) -> str:
    return f"`{name}`" if name else "none"


def _together(stored: Mapping[str, Any], name: str, groups: Sequence[str]) -> str:
    """The share of the cases of these groups that is held back if only the check `name` blocks, as text; "not measured"
    if it was not counted."""
    if name not in stored["alone"]:
        return "not measured"
    count, n = (sum(of[group] for group in groups) for of in (stored["alone"][name], stored["n"]))
    return Rate(count=count, n=n).text


def _about(stored: Mapping[str, Any]) -> str:
    """When and at which limits the cases were counted, which checks have other limits since, and what changed."""
    now = values(preset("default"))
    moved = sorted({key.partition(".")[0] for key in now if stored["limits"].get(key) != now[key]})
    others = f" Since then other limits or new: {', '.join(f'`{name}`' for name in moved)}." if moved else ""
    what = f"The reporting half of the sample banks, limits of the preset {stored['preset']}"
    return f"{what}, counted on {stored['date']}.{others}{changes_since(stored['date'])}"


_AIMS = {
    "cost 5": ("a wrong answer costs five over-refusals", 1.0),
    "cost 1": ("a wrong answer costs as much as an over-refusal", 1.0),
    "over-refusals under 0.1": ("fewest wrong answers, at most 10 % over-refusals", 0.1),
}
"""Each aim in words, with its limit on over-refusals. Costs are comparable only where the default keeps the limit."""


def proposals_table() -> str:
    """A row per aim of a search for limits: mean rates and cost under the default preset and under the proposed limits.

    The means are over random splits of the bank; each split is counted on the half that the search did not see.
    """
    if not is_measured("proposals"):
        return NOT_YET
    stored = read_measurement("proposals")
    splits, rows = stored["splits"], []
    for name, (aim, limit) in _AIMS.items():
        figures = stored[name]
        low, high = figures["interval"]
        costs = (
            _from_to(f"{figures['default_mean_cost']:.3f}", f"{figures['mean_cost']:.3f}"),
            f"{figures['saved']:.3f} ({low:.3f} to {high:.3f})", figures["splits_that_cost_more"],
        )  # fmt: skip
        if figures["default_over_refused"] > limit:
            costs = ("not compared: the default breaks the limit", "", "")
        wrong, refused = (
            _from_to(f"{100 * figures[f'default_{k}']:.0f}", f"{100 * figures[k]:.0f}") + " %"
            for k in ("wrong", "over_refused")
        )
        rows.append((aim, f"{splits - figures['splits_without_a_proposal']} of {splits}", wrong, refused, *costs))
    head = f"{stored['n']} questions, {splits} random splits, means over the halves that no search saw."
    heads = ("aim", "with a proposal", "wrong answers", "over-refusals", "cost", "saved (95 % of means)", "cost more")
    return f"{head}\n\n{table(heads, rows)}"


def _from_to(before: str, after: str) -> str:
    return before if before == after else f"{before} to {after}"
