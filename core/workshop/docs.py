"""The tables of the docs, written by the declarations and by the measured figures themselves."""

from collections.abc import Callable
from pathlib import Path

from core.banks import BANKS, TUNING, read_bank
from core.check import mode_of
from core.checks import all_checks, all_thresholds
from core.checks.fact_grounding import FIRST, REACH, WEIGHTS
from core.pdf.sandbox import LIMITS, READERS
from core.presets import built_on, modes_of, preset, presets, values
from core.presets.comparison import differences
from core.quotas import QUOTAS
from core.reports.metrics import sample_marks
from core.text.hedges import PATTERNS, count_hedges
from core.thresholds import Preset, Threshold
from core.tuning.proposals import MOST_REFUSED, SEED_C_VALUES
from core.workshop.figures.measured import (
    bench_table,
    calibration_table,
    kinds_table,
    pairs_table,
    questions_table,
    recall_table,
    sample_table,
    words_table,
)
from core.workshop.figures.models import nli_changes_table, nli_table, paired_table, ranking_table, reader_table
from core.workshop.figures.opinions import opinions_table
from core.workshop.figures.package_licences import licences_table
from core.workshop.figures.sample_bank import alone_table, moved_table, proposals_table
from core.workshop.figures.writers import writers_table

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = (README, *sorted(ROOT.glob("core/*/README.md")), *sorted(ROOT.glob("data/*/README.md")))
"""Every page of the docs: the front page, and one beside what it describes."""


def checks_table() -> str:
    """A row for every check, with its mode under the default."""
    modes = modes_of(preset("default"))
    rows = ["| check | what holds when it passes | looks at | from | default |", "|---|---|---|---|---|"]
    rows += [f"| `{c.name}` | {c.plain} | {c.stage} | {c.seed} | {modes[c.name]} |" for c in all_checks()]
    return "\n".join(rows)


def thresholds_table() -> str:
    """A row for every threshold: the number that its document prints, and the default's, bold where it is another."""
    begun = values(preset("default"))
    rows = ["| threshold | as printed | default | range | unit | stricter | meaning |", "|---|---|---|---|---|---|---|"]
    rows += [_threshold_row(t, begun[t.key]) for c in all_checks() for t in c.thresholds().values()]
    return "\n".join(rows)


def presets_table() -> str:
    """A row for every preset: what it goes out from, and which limits and modes it moves there."""
    rows = ["| preset | for | built on | moves |", "|---|---|---|---|"]
    for name, one in presets().items():
        base = built_on(name)
        rows.append(f"| {name} | {one.help} | {'' if base is one else base.name} | {_moves(base, one)} |")
    return "\n".join(rows)


def constants_table() -> str:
    """A row for every number that a document prints and no slider or setting moves, with what stands here and why."""
    (first, near), (again, farther) = FIRST, REACH["rechecked"]
    weights = " / ".join(f"{100 * share:g}" for share in WEIGHTS.values())
    rows = ["| from | prints | here | why nothing moves it |", "|---|---|---|---|"]
    rows += [f"| {' | '.join(row)} |" for row in (
        ("A", "the average of all passages found", "of the best three", "A wide search would lower it, and a narrow "
         "one raise it, for the same evidence; how many are fetched is a setting."),
        ("A", "rates of its own 500 questions, +50 ms", "[measured](../../data/measured/README.md)", "They are claims "
         "about another system."),
        ("B", "confidence = 100 x the best score", "the same", "It is a unit; its two limits are sliders, and the "
         "zones of the band follow from them."),
        ("B", "“extremely low (e.g. <0.1)”", "no rule", "It is below both limits that it prints, and refused as "
         "such."),
        ("C", "neutral with a score > 0.7, beside its own `nliThreshold`", "one slider, `nli_threshold`", "The code "
         "writes 0.7 twice and means one number."),
        ("C", "confidence 1.0, 0.7 and 0.8 of its own layers", "given out as printed", "Nothing is decided by them: "
         "they only say in its message which layer stopped an answer."),
        ("C", "the sweep 0.2, 0.25, 0.3, 0.35, 0.4", ", ".join(f"{v:g}" for v in SEED_C_VALUES), "Tune repeats the "
         "document's own calibration; every other value is on the slider's curve."),
        ("C", "goals on LongMemEval (40 %, under 10 %)", f"under {100 * MOST_REFUSED:g} % over-refused", "Another "
         "benchmark; the share that a proposal may refuse is a field on Tune."),
        ("D", "grounding, retrieval, certainty 60 / 30 / 10", weights, "The two limits stand on the scale of this "
         "score: with other weights 0.8 and 0.5 would mean something else. Where a writer says nothing of its "
         "certainty, the other two count alone."),
        ("D", "first read: 5 documents, similarity 0.4", f"{first}, {near:g}", "They decide what a writer is given, so "
         "that each move would have all answers written, and read, again; how many passages are fetched at all is a "
         "setting."),
        ("D", "recheck: 10 documents, 0.3, once", f"{again}, {farther:g}, once", "As the first read; whether it is "
         "made is a slider, and how deep the search goes a setting."),
        ("D", "1.0, 0.7-0.9, 0.4-0.6, 0.1-0.3, 0.0 for grounding", "a mean probability", "A rubric for a language "
         "model that gives marks; read off the labels of the sentences, the score needs no steps."),
        ("E", "1.0, 0.7-0.9, 0.4-0.6, 0.0-0.3 for accuracy", "a mean probability", "As D's."),
        ("E", "0.5 where the fact check cannot be read", "an error with its cause", "A check that broke has not "
         "passed, and half a point would decide as if it had been made."),
        ("E", "quality 0.0 without passages", "the same", "Nothing is as far below a limit as nothing."),
    )]  # fmt: skip
    return "\n".join(rows)


def quotas_table() -> str:
    """A row for every limit that a variable of the environment moves."""
    rows = ["| variable | at most | in a demonstration, and guests | open, and teachers |", "|---|---|---|---|"]
    rows += [
        f"| `{q.variable}` | {q.unit} {q.per} for each visitor | {q.default} | no limit |" for q in QUOTAS.values()
    ]
    own = "2 for each core up to 8, and 1"
    rows.append(f"| `{READERS}` | processes that open PDFs at once, {LIMITS.memory} MB each | {own} | {own} |")
    return "\n".join(rows)


def hedging_table() -> str:
    """A row for every built-in hedging pattern, with what it catches among the answers that may be looked at."""
    answers = [row["answer"] for half in (BANKS, TUNING) for row in read_bank(half) if row.get("answer")]
    rows = [f"| pattern | looks for | answers caught, of {len(answers)} |", "|---|---|---|"]
    for name, count in count_hedges(answers).items():
        rows.append(f"| {name} | `{PATTERNS[name].replace('|', chr(92) + '|')}` | {count} |")
    return "\n".join(rows)


def _threshold_row(t: Threshold, begun: float) -> str:
    printed, default = f"{t.default:g}", f"{begun:g}"
    default = default if default == printed else f"**{default}**"
    return f"| `{t.key}` | {printed} | {default} | {t.low:g} to {t.high:g} | {t.unit} | {t.stricter} | {t.help} |"


def _moves(base: Preset, moved: Preset) -> str:
    """What `moved` sets otherwise than `base`, in words; of a seed's preset only whose checks still block."""
    found = differences(base, moved)
    limits = [f"`{d.key}` {d.second:g}" for d in found if d.key in all_thresholds()]
    blocking = {c.name for c in all_checks() if mode_of(c, moved) == "blocks"}
    seeds = {c.seed for c in all_checks() if c.name in blocking}
    if len(seeds) == 1 and blocking == {c.name for c in all_checks() if c.seed in seeds}:
        return ", ".join([*limits, f"only the checks of {seeds.pop()} block"])
    modes = [f"`{d.check}` {d.second}" for d in found if d.key not in all_thresholds()]
    return ", ".join([*limits, *modes]) or "nothing"


BLOCKS: dict[str, Callable[[], str]] = {
    "checks": checks_table,
    "thresholds": thresholds_table,
    "presets": presets_table,
    "hedging": hedging_table,
    "constants": constants_table,
    "quotas": quotas_table,
    "licences": licences_table,
    "marks": lambda: "\n\n".join(sample_marks()),
    "sample_bank": sample_table,
    "questions": questions_table,
    "pairs": pairs_table,
    "kinds": kinds_table,
    "calibration": calibration_table,
    "words": words_table,
    "recall": recall_table,
    "nli": nli_table,
    "changes": nli_changes_table,
    "paired": paired_table,
    "moved": moved_table,
    "ranking": ranking_table,
    "reader": reader_table,
    "writers": writers_table,
    "opinions": opinions_table,
    "proposals": proposals_table,
    "alone": alone_table,
    "bench": bench_table,
}
"""The generated blocks of the docs, by the name in their marks."""


def refreshed(page: str) -> str:
    """`page` with the text between each pair of marks that it has replaced by the current table."""
    for name in blocks_of(page):
        start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
        head, rest = page.split(start, 1)
        page = f"{head}{start}\n{BLOCKS[name]()}\n{end}{rest.split(end, 1)[1]}"
    return page


def blocks_of(page: str) -> list[str]:
    """The names of the generated blocks that `page` has marks for."""
    return [name for name in BLOCKS if f"<!-- {name}:start -->" in page]
