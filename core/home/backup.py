"""The backup of a run-time folder in one file, and a new folder from that."""

import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from filelock import FileLock, Timeout

from core.banks.measured_bank import KeptTraces
from core.journal.sqlite_file import NAME as JOURNAL

_PATIENCE = 600
"""Seconds that a backup waits for somebody who adds a book."""
_KEPT = re.compile(
    r"(?:documents/[0-9a-f]+\.json|files/[0-9a-f]+\.pdf|readings/[0-9a-f]+\.(?:jsonl|npy)|presets/[\w -]+\.json"
    r"|banks/[\w-]+\.jsonl|banks/measured\.sqlite|journal\.sqlite3|sample_was_added)"
)
"""What a backup holds. The index is made anew from the readings, and locks belong to those who run."""


class BackupError(ValueError):
    """A backup cannot be written, read or restored; the message says why, and what to do."""


def backup(home: Path, file: Path) -> int:
    """Everything of `home` in one ZIP file, which only its owner may read; how many files it holds.

    Books neither come nor go while it is written; the journal is copied as it stands at one moment. What was at
    `file` stays until the new one is whole.
    """
    if not home.is_dir():
        raise BackupError(f"There is no folder {home} to be kept; name the one that it is.")
    part = file.with_name(f"{file.name}.part")
    try:
        with FileLock(home / "library.lock", timeout=_PATIENCE), tempfile.TemporaryDirectory(dir=file.parent) as folder:
            count = _written(home, part, Path(folder))
        part.replace(file)
    except Timeout:
        raise BackupError(f"The library in {home} is held by another process; end it, or try again.") from None
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{file.name} cannot be written ({error}); free the disk or name another place.") from error
    finally:
        part.unlink(missing_ok=True)
    return count


def restore(file: Path, home: Path) -> None:
    """A new folder `home` from a backup; nothing is there unless all of it is. BackupError where something stands."""
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise BackupError(f"{home} holds something already; name a folder that is not there yet.")
    part = home.with_name(f"{home.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with zipfile.ZipFile(file) as kept:
            if strange := [name for name in kept.namelist() if not _KEPT.fullmatch(name)]:
                raise BackupError(f"{file.name} is no backup: it holds {strange[0]!r:.80}; name another file.")
            kept.extractall(part)
        if home.exists():
            home.rmdir()
        part.rename(home)
    except (OSError, zipfile.BadZipFile) as error:
        raise BackupError(f"{file.name} cannot be restored ({error}); name a backup that is whole.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _written(home: Path, part: Path, folder: Path) -> int:
    with os.fdopen(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600), "w+b") as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as kept:
            for path, name in _files(home, folder):
                kept.write(path, name)
        stream.flush()
        os.fsync(stream.fileno())
        return len(kept.namelist())


def _files(home: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file to be kept with its name in the backup; a base as a copy in `folder`, whoever writes into it."""
    bases = (home / JOURNAL, KeptTraces(home).path)
    for path in (base for base in bases if base.exists()):
        copy = folder / path.name
        with closing(sqlite3.connect(path)) as base, closing(sqlite3.connect(copy)) as copied:
            base.backup(copied)
        yield copy, path.relative_to(home).as_posix()
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if path.is_file() and path not in bases and _KEPT.fullmatch(name):
            yield path, name
