"""The models that ship: where they lie, their weights verified by digest, and errors of loading in one sentence."""

import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from core.models import ModelError

SHIPPED = Path(__file__).parents[2] / "data" / "models"
"""The folder of weights and calibrations that come with the project."""
GRAPH = "graph.xml"
"""The graph of a model exported for OpenVINO, without its weights."""
MANIFEST = "weights.json"
"""The file in a model's folder that lists the files of its weights in order, each with its sha256."""
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""The identity of the bundled embedder: the digest of all-MiniLM-L6-v2 as its authors publish it, in fp32."""
_PIECE = 1 << 22
"""Number of bytes of a large file that are in memory at a time."""
log = logging.getLogger(__name__)


def weights_of(folder: Path) -> np.ndarray:
    """The concatenated weights of all files in MANIFEST, as bytes, shape (bytes,).

    Raises ModelError if a file is missing or differs from what was shipped.
    """
    parts = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["parts"]
    paths = {folder / part["file"]: part["sha256"] for part in parts}
    for path, sha256 in paths.items():
        if not path.is_file() or digest(path) != sha256:
            raise ModelError(
                f"{path.name} of the model {folder.name} is missing or damaged; mend it by: get the project's "
                "data/models again"
            )
    return np.concatenate([np.fromfile(path, dtype=np.uint8) for path in paths])


def digest(path: Path) -> str:
    """The sha256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
