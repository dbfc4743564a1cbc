"""The conditions of a measurement: library, models, settings and program. A stored one counts only under them."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from core.checks import all_checks
from core.models.calibration import Calibration
from core.reply.serialization import FORMAT
from core.settings import Settings
from core.settings.settings import RETIRED

if TYPE_CHECKING:
    from core.graph import Explorer

_MEASURING_VERSION = 13
"""Version of measuring. Raise it when the same question would get another draft or other signals: traces of older
versions are then measured again.
"""


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Everything besides the question that a measurement depends on: the documents of the library, the models, the
    settings, and the program's version of the checks. Each field is a text that changes when these change.
    """

    library: str
    models: str
    settings: str
    program: str

    @property
    def key(self) -> str:
        """An identifier of these conditions; 16 hexadecimal digits."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:16]


def conditions_of(explorer: "Explorer") -> Conditions:
    """The current conditions of `explorer`: documents with passages, models, settings, checks."""
    models = explorer.models
    return conditions_with(explorer.library.version, models.names, models.calibration, explorer.settings)


def conditions_with(
    library: str, models: Mapping[str, str], calibration: Calibration, settings: Settings
) -> Conditions:
    """The conditions of a measurement with these settings by this program. library: the version of the library. models:
    the name of each model."""
    signals = {check.name: sorted(check.signals()) for check in all_checks()}
    return Conditions(
        library=library,
        models=json.dumps([models, asdict(calibration)], sort_keys=True),
        settings=json.dumps(RETIRED | asdict(settings), sort_keys=True),
        program=json.dumps([FORMAT, _MEASURING_VERSION, signals], sort_keys=True),
    )
