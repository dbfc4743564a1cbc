"""How much memory a whole question takes, in a process of its own."""

import subprocess
import sys
from pathlib import Path

from core.workshop.bench.figure import Figure

_PEAK = (
    "import re; from pathlib import Path; status = Path('/proc/self/status').read_text(); "
    "print(int(re.search(r'VmHWM:\\s+(\\d+)', status)[1]) / 1024)"
)
"""The kernel's own high-water mark; getrusage would pass on that of the process that started this one."""
_LOAD = "from core.models.profile import load; load()"
_ASK = (
    "import sys; from pathlib import Path; from core.presets import preset; "
    "from core.workshop.bench.samples import sample_explorer, sample_questions; "
    "e = sample_explorer(Path(sys.argv[1])); "
    "[e.ask(q, preset('default')) for q in sample_questions(e, 5)]"
)


def peak_memory(folder: Path) -> Figure:
    """Peak resident megabytes: models, sample library, five questions; beside the models loaded and idle."""
    return Figure(
        value=_peak(_ASK, folder), unit="MB", baseline="the bundled models loaded, nothing asked",
        baseline_value=_peak(_LOAD, folder), n=5, note="library ingested and five questions asked in one process",
    )  # fmt: skip


def _peak(code: str, folder: Path) -> float:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", f"{code}; {_PEAK}", str(folder)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])
