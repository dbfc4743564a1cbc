"""Backs up a run-time folder into one file, and restores a folder from it."""

import os
import re
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from core.banks.measured_bank import StoredTraces
from core.banks.saved import SavedBanks
from core.errors import UserError
from core.journal.journal_file import NAME as JOURNAL
from core.library.store import NAME as LIBRARY

_BACKED_UP = re.compile(
    r"(?:library\.sqlite3|presets/[\w -]+\.json"
    r"|domains/[\w -]+\.json|limits_by_class\.json"
    r"|banks/[\w-]+\.jsonl|banks/(?:sets|measured)\.sqlite|journal\.sqlite3|sample_was_added)"
)
"""The files in a backup. The index is built from the library's file, and locks belong to running processes."""


class BackupError(UserError):
    """A backup cannot be written, read or restored; the message says why, and what to do."""


def backup(home: Path, file: Path) -> int:
    """Write all of `home` into one ZIP file that only its owner may read. Returns the number of files in it.

    Databases are copied as snapshots, so the app may run meanwhile. An existing file stays until the new one is
    complete.
    """
    if not home.is_dir():
        raise BackupError(f"There is no folder {home}; name an existing folder.")
    part = file.with_name(f"{file.name}.part")
    try:
        with tempfile.TemporaryDirectory(dir=file.parent) as folder:
            descriptor = os.open(part, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600)
            with os.fdopen(descriptor, "w+b") as stream:
                with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
                    for path, name in _files(home, Path(folder)):
                        archive.write(path, name)
                stream.flush()
                os.fsync(stream.fileno())
            count = len(archive.namelist())
        part.replace(file)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{file.name} cannot be written ({error}); free disk space or name another place.") from error
    finally:
        part.unlink(missing_ok=True)
    return count


def restore(file: Path, home: Path) -> None:
    """Create the folder `home` from a backup, completely or not at all. Raises BackupError if `home` is not empty."""
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise BackupError(f"{home} is not empty; name a new folder.")
    part = home.with_name(f"{home.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    try:
        with zipfile.ZipFile(file) as archive:
            if other_names := [name for name in archive.namelist() if not _BACKED_UP.fullmatch(name)]:
                raise BackupError(f"{file.name} is no backup: it holds {other_names[0]!r:.80}; name another file.")
            archive.extractall(part)
        if home.exists():
            home.rmdir()
        part.rename(home)
    except (OSError, zipfile.BadZipFile) as error:
        raise BackupError(f"{file.name} cannot be restored ({error}); name an undamaged backup.") from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _files(home: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield every file to back up with its name in the backup; a database is first copied into `folder`."""
    databases = (home / LIBRARY, home / JOURNAL, StoredTraces(home).path, SavedBanks(home).path)
    for path in (database for database in databases if database.exists()):
        copy = folder / path.name
        with closing(sqlite3.connect(path)) as database, closing(sqlite3.connect(copy)) as target:
            database.backup(target)
        yield copy, path.relative_to(home).as_posix()
    for path in sorted(home.rglob("*")):
        name = path.relative_to(home).as_posix()
        if path.is_file() and path not in databases and _BACKED_UP.fullmatch(name):
            yield path, name
