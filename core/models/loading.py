"""One way to load a model, whether it is bundled, in a folder, or on a hub."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.models.errors import ModelError

log = logging.getLogger(__name__)


def loaded(load: Callable[[str], Any], path_or_name: str | Path) -> Any:
    """What `load` makes of a folder or a hub name; ModelError in one sentence when it cannot.

    A hub that cannot be reached is said so: nothing else is loaded in its place.
    """
    name = str(path_or_name)
    folder = Path(name)
    if folder.is_absolute() and not (folder / "config.json").is_file():
        raise ModelError(
            f"{folder.name} is no model folder (it has no config.json); name another folder or a hub name."
        )
    try:
        return load(name)
    except ModelError:
        raise  # it says already what is wrong
    except Exception as error:  # transformers raises many types; each means that there is no model
        log.exception("%s could not be loaded", name)
        why = f"({type(error).__name__})"
        if folder.is_dir():
            what = f"A file of the model {folder.name} is missing or damaged {why}; mend it by: "
            raise ModelError(what + "get the project's data/models, or your own folder, again") from error
        raise ModelError(
            f"The model hub gave no {name} {why}; check the name and the network, or choose the profile 'bundled', "
            "which needs neither."
        ) from error
