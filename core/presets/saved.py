"""Presets saved by users under names of their own, one JSON file each in the run-time folder."""

import json
import re
from functools import lru_cache
from pathlib import Path

from filelock import FileLock, Timeout

from core.platform.access import require
from core.platform.atomic_write import write_whole
from core.presets import PresetError, preset_row, presets, require_whole, with_content
from core.presets.files import MOST_BYTES
from core.thresholds import Preset

MOST = 200
"""Maximum number of saved presets per folder."""
LONGEST_HELP = 300  # letters
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9 _-]{0,58}[A-Za-z0-9_-])?")
_LOCK_SECONDS = 30  # seconds


class SavedPresets:
    """The presets saved under `home`. They cannot have the name of a built-in preset."""

    def __init__(self, home: Path) -> None:
        self.folder = Path(home) / "presets"

    def names(self) -> tuple[str, ...]:
        """The names of saved presets, sorted, readable or not."""
        stems = (path.stem for path in self.folder.glob("*.json"))
        return tuple(sorted((n for n in stems if _NAME.fullmatch(n) and not _built_in(n)), key=str.casefold))

    def preset(self, name: str) -> Preset:
        """The preset saved as `name`, validated."""
        path = self._path(name)
        try:
            status = path.stat()
        except OSError as error:
            names = ", ".join(self.names()) or "none"
            raise PresetError(f"No preset is saved as {name!r}; the saved ones are: {names}.") from error
        return _read_file(path, status.st_mtime_ns, status.st_size)

    def save(self, preset: Preset) -> None:
        """Save `preset` under its name with all its values, so that later changes of defaults do not affect it.

        An existing preset of the same name is replaced. Raises PresetError if the name is invalid or taken, and
        AccessError if the user may not change presets.
        """
        require("presets")
        path = self._path(preset.name)
        content = preset_row(require_whole(preset)) | {"help": preset.help[:LONGEST_HELP]}
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with FileLock(self.folder / ".lock", timeout=_LOCK_SECONDS):
                names = self.names()
                for other in names:
                    if other != preset.name and other.casefold() == preset.name.casefold():
                        raise PresetError(f"The preset {other!r} exists already; use that spelling, or another name.")
                if preset.name not in names and len(names) >= MOST:
                    raise PresetError(f"{MOST} presets are saved, and more are not allowed; delete one first.")
                write_whole(path, json.dumps(content, indent=1, ensure_ascii=False).encode())
        except (OSError, Timeout) as error:
            raise PresetError(
                f"{path.name} cannot be written ({error}); make its folder writable and try again."
            ) from error

    def delete(self, name: str) -> None:
        """Delete the preset saved as `name`, if it exists."""
        require("presets")
        try:
            self._path(name).unlink(missing_ok=True)
        except OSError as error:
            raise PresetError(
                f"{name!r} cannot be deleted ({error}); make its folder writable and try again."
            ) from error

    def _path(self, name: str) -> Path:
        """The file of a preset. Raises PresetError if `name` is invalid for a file, or that of a built-in preset."""
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise PresetError(
                "A preset's name has 1 to 60 letters from A to Z, digits, blanks, _ or -, and begins with a letter or "
                f"a digit; got {name!r:.80}."
            )
        if _built_in(name):
            raise PresetError(f"{name!r} is a preset that comes with the app and stays as it is; take another name.")
        return self.folder / f"{name}.json"


def named_preset(name: str, home: Path) -> Preset:
    """The built-in preset of this name, else the one saved under `home`. Raises PresetError if there is neither."""
    saved_presets = SavedPresets(home)
    if name in presets():
        return presets()[name]
    if name in saved_presets.names():
        return saved_presets.preset(name)
    raise PresetError(f"{name!r:.80} is no preset; allowed are {', '.join((*presets(), *saved_presets.names()))}.")


def _built_in(name: str) -> bool:
    """True for the name of a built-in preset in any spelling: "Seed A" is seed_a."""
    return name.casefold().replace(" ", "_").replace("-", "_") in presets()


@lru_cache(maxsize=256)
def _read_file(path: Path, _: int, size: int) -> Preset:
    """The preset in a file. Modification time and size are the cache key."""
    try:
        if size > MOST_BYTES:
            raise PresetError(f"it has {size} bytes, and at most {MOST_BYTES} are read")
        content = json.loads(path.read_text(encoding="utf-8"))
        is_whole = isinstance(content, dict) and {"thresholds", "modes"} <= set(content)
        if not is_whole or not isinstance(content.get("help"), str):
            raise PresetError("it must hold a help text, thresholds and modes")
        return with_content(Preset(name=path.stem, help=content["help"][:LONGEST_HELP]), content)
    except (OSError, ValueError, RecursionError) as error:
        why = str(error).rstrip(".")
        raise PresetError(f"The saved preset {path.stem!r} cannot be read: {why}; save it again.") from error
