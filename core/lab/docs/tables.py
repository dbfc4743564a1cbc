"""The generated tables of the docs, from declarations, stored figures and installed packages."""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from textwrap import wrap

from core.banks import BANKS, TUNING, read_bank
from core.check import mode_of
from core.checks import all_checks, all_thresholds
from core.lab.docs import documents, measured, models, sample_bank, writers
from core.lab.docs.measurements import date_sentence
from core.lab.figure_files import table
from core.pdf.sandbox import LIMITS, READERS
from core.platform.quotas import QUOTAS
from core.presets import FOLDER, differences, modes_of, preset, presets, values
from core.text.hedges import PATTERNS, find_hedges
from core.thresholds import MODE_NAMES, Preset
from core.tuning.proposals import SEED_C_VALUES
from core.words import REASONS

ROOT = Path(__file__).parents[3]
README = ROOT / "README.md"
PAGES = (
    README,
    ROOT / "core" / "README.md",
    *sorted(ROOT.glob("core/*/README.md")),
    *sorted(ROOT.glob("data/*/README.md")),
)
"""Every page of the docs: the README at the top, and those in the folders that they describe."""
PAGE_WIDTH = 120
"""Characters of a line of the docs."""
CONSTANTS = Path(__file__).with_name("constants.md")
"""The table of constants, a format string with fields for the numbers in the code."""


def checks_table() -> str:
    """A row for every check, with its mode under the default."""
    modes = modes_of(preset("default"))
    heads = ("check", "what holds when it passes", "looks at", "from", "default")
    return table(
        heads, ((f"`{c.name}`", c.plain, c.stage, c.source_document, MODE_NAMES[modes[c.name]]) for c in all_checks())
    )


def names_list() -> str:
    """A list of the names of the checks of each stage and of the reasons, wrapped at PAGE_WIDTH."""
    kinds = {
        "Checks of the query": [c.name for c in all_checks() if c.stage == "query"],
        "Checks of the answer": [c.name for c in all_checks() if c.stage == "answer"],
        "Reasons, the most important first": REASONS,
    }
    items = (f"- {kind}: {', '.join(f'`{name}`' for name in names)}." for kind, names in kinds.items())
    return "\n".join(line for item in items for line in wrap(item, PAGE_WIDTH, subsequent_indent="  "))


def thresholds_table() -> str:
    """A row for every threshold: the value that its source document prints, and the value under the default preset, in
    bold if the two differ."""
    defaults, rows = values(preset("default")), []
    for t in all_thresholds().values():
        printed, default = f"{t.default:g}", f"{defaults[t.key]:g}"
        default = default if default == printed else f"**{default}**"
        rows.append((f"`{t.key}`", printed, default, f"{t.low:g} to {t.high:g}", t.unit, t.stricter, t.help))
    return table(("threshold", "as printed", "default", "range", "unit", "stricter", "meaning"), rows)


def built_on(name: str) -> Preset:
    """The preset that the built-in preset `name` extends; `as_printed` if its file names none."""
    return preset(json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8")).get("on", "as_printed"))


def presets_table() -> str:
    """A row for every preset: the preset it is built on, and the limits and modes that it changes."""
    rows = []
    for name, built_in in presets().items():
        base = built_on(name)
        rows.append((name, built_in.help, "" if base is built_in else base.name, _moves(base, built_in)))
    return table(("preset", "for", "built on", "moves"), rows)


def constants_table() -> str:
    """A row for every number that a source document prints and that no slider or setting changes: its value here, and
    why it is fixed."""
    return CONSTANTS.read_text(encoding="utf-8").rstrip().format(seed_c=", ".join(f"{v:g}" for v in SEED_C_VALUES))


def quotas_table() -> str:
    """A row for every limit that an environment variable sets."""
    rows = [(f"`{q.variable}`", f"{q.unit} {q.per} for each visitor", q.default, "no limit") for q in QUOTAS.values()]
    own = "2 for each core up to 8, and 1"
    rows.append((f"`{READERS}`", f"processes that open PDFs at once, {LIMITS.memory} MB each", own, own))
    return table(("variable", "at most", "in a demonstration, and guests", "open, and teachers"), rows)


def hedging_table() -> str:
    """A row for every built-in hedging pattern, with the number of answers of the banks that it matches."""
    answers = [row["answer"] for half in (BANKS, TUNING) for row in read_bank(half) if row.get("answer")]
    others = {name: tuple(PATTERNS.keys() - {name}) for name in PATTERNS}
    counts = {name: sum(bool(find_hedges(answer, "", out=out)) for answer in answers) for name, out in others.items()}
    rows = ((name, f"`{PATTERNS[name]}`", count) for name, count in counts.items())
    return table(("pattern", "looks for", f"answers caught, of {len(answers)}"), rows)


def _moves(base: Preset, moved: Preset) -> str:
    """The differences of `moved` from `base` in words; "nothing" if there are none.

    If exactly the checks of one source document block, that replaces the list of modes.
    """
    changes = differences(base, moved)
    limits = [f"`{d.key}` {d.second:g}" for d in changes if d.key in all_thresholds()]
    blocking = {c.name for c in all_checks() if mode_of(c, moved) == "blocks"}
    documents = {c.source_document for c in all_checks() if c.name in blocking}
    if len(documents) == 1 and blocking == {c.name for c in all_checks() if c.source_document in documents}:
        return ", ".join([*limits, f"only the checks of {documents.pop()} block"])
    modes = [
        f"`{d.key.removesuffix('.mode')}` {MODE_NAMES[d.second]}" for d in changes if d.key not in all_thresholds()
    ]
    return ", ".join([*limits, *modes]) or "nothing"


def packages_table() -> str:
    """A row for every folder of code in core/, with the first paragraph of its docstring."""
    rows = []
    for file in sorted((ROOT / "core").glob("*/__init__.py")):
        summary = (ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").partition("\n\n")[0]
        rows.append((f"`core.{file.parent.name}`", " ".join(summary.split())))
    return table(("package", "what it holds"), rows)


LOCK = ROOT / ".ci" / "constraints.txt"
"""The packages that requirements.txt brings, all but torch."""
_SHORT = 60
"""Maximum characters of a licence field that names a licence; a longer one contains the licence's text."""
_WORDS = {
    "apache": "Apache-2.0", "mit": "MIT", "bsd": "BSD", "mozilla": "MPL-2.0", "psf": "PSF-2.0", "isc": "ISC",
    "python software foundation": "PSF-2.0", "lgpl": "LGPL",
}  # fmt: skip
"""Words in licence fields without an SPDX expression, and the expression that they mean."""
_SPDX = re.compile(r"(?=.*(-\d|^MIT|^ISC))[A-Za-z0-9.-]+( (AND|OR|WITH) [A-Za-z0-9.()-]+)*")


def licences_table() -> str:
    """A row for every licence, with the packages of the app and of its tests."""
    by_licence = defaultdict(list)
    for package in (distribution("torch"), *_installed()):
        by_licence[licence_of(package)].append(package.metadata["Name"].lower())
    rows = ((licence, ", ".join(sorted(names))) for licence, names in sorted(by_licence.items()))
    return table(("licence", "packages"), rows)


def _installed() -> Iterator[Distribution]:
    """Yield those packages of LOCK that are installed here; the others are needed on other platforms only."""
    for line in LOCK.read_text(encoding="utf-8").splitlines():
        name = line.partition("==")[0]
        if name[:1].isalpha():
            with suppress(PackageNotFoundError):
                yield distribution(name)


def licence_of(package: Distribution) -> str:
    """The licence in a package's metadata, from the first of these that names one: its licence expression, a short
    licence field, its classifiers; "unknown" if none does."""
    metadata = package.metadata
    if expression := metadata.get("License-Expression"):
        return expression
    text = metadata.get("License") or ""
    classifiers = [c.rpartition(" :: ")[2] for c in metadata.get_all("Classifier") or [] if c.startswith("License ::")]
    text = text if 0 < len(text) <= _SHORT and "\n" not in text else ", ".join(classifiers)
    if _SPDX.fullmatch(text):
        return text
    return " AND ".join(dict.fromkeys(spdx for word, spdx in _WORDS.items() if word in text.lower())) or "unknown"


BLOCKS: dict[str, Callable[[], str]] = {
    "checks": checks_table, "names": names_list, "thresholds": thresholds_table, "presets": presets_table,
    "hedging": hedging_table, "constants": constants_table, "quotas": quotas_table, "licences": licences_table,
    "packages": packages_table, "marks": lambda: "\n\n".join(sample_bank.sample_targets()),
    "sample_bank": sample_bank.sample_table, "alone": sample_bank.alone_table,
    "proposals": sample_bank.proposals_table, "questions": measured.questions_table, "pairs": measured.pairs_table,
    "kinds": measured.kinds_table, "words": measured.words_table, "recall": measured.recall_table,
    "spliced": measured.spliced_table, "ablation": measured.ablation_table, "bench": measured.bench_table,
    "calibration": models.calibration_table, "nli": models.nli_table, "changes": models.nli_changes_table,
    "paired": models.paired_table, "ranking": models.ranking_table, "reader": models.reader_table,
    "judge": models.judge_table, "writers": writers.writers_table, "printed": documents.printed_table,
    "printed_differences": documents.printed_differences_table, "reply": documents.reply_table,
    "requirements": documents.requirements_table,
}  # fmt: skip
"""The generated blocks of the docs: the name in the comments around a block, and the function that makes its text."""


def refreshed(page: str) -> str:
    """`page` with the text between the two HTML comments of each generated block replaced by the current table."""
    for name in blocks_of(page):
        start, end = f"<!-- {name}:start -->", f"<!-- {name}:end -->"
        head, rest = page.split(start, 1)
        date, block = date_sentence(name), BLOCKS[name]()
        content = f"{date}\n\n{block}" if date else block
        page = f"{head}{start}\n{content}\n{end}{rest.split(end, 1)[1]}"
    return page


def blocks_of(page: str) -> list[str]:
    """The names of the generated blocks whose start comment is in `page`."""
    return [name for name in BLOCKS if f"<!-- {name}:start -->" in page]
