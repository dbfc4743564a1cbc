"""A disk of its own for a test, so small that it is soon full."""

import subprocess
from contextlib import contextmanager

import pytest


class SmallDisk:
    """A file system in memory. Only a person who may mount has one; elsewhere the test is skipped."""

    def __init__(self, folder):
        self.folder, self._ballast = folder, folder / "ballast"

    def fill(self):
        """Not a byte more fits on it."""
        with self._ballast.open("ab", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass

    def free(self):
        self._ballast.unlink()

    @contextmanager
    def read_only(self):
        """Within the block nothing can be written. No file on it may be open for writing."""
        subprocess.run(["mount", "-o", "remount,ro", self.folder], check=True, capture_output=True)
        try:
            yield
        finally:
            subprocess.run(["mount", "-o", "remount,rw", self.folder], check=True, capture_output=True)


@pytest.fixture
def disk(tmp_path):
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no mount here, so no disk that is soon full")
    if made.returncode:
        pytest.skip(f"a small disk may not be mounted here: {made.stderr.decode().strip()}")
    yield SmallDisk(folder)
    subprocess.run(["umount", "--lazy", folder], check=True)
