"""Disks of their own for a test: one that is soon full, and one that forgets what was not synced."""

import fcntl
import os
import struct
import subprocess
import time
from contextlib import contextmanager

import pytest

_SHUTDOWN, _WITHOUT_THE_LOG = 0x8004587D, 2
"""FS_IOC_SHUTDOWN of Linux, and how it is to end: neither data nor the log of the file system are written any more."""

_CLOSED_WITHIN = 30
"""Seconds until all files of what was closed are."""
ROOMY = 64
"""Megabytes of a small disk on which the sample chapters have room."""


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
        """Within the block nothing can be written. No file on it may be open for writing; one that is being closed by
        a thread of its own, as an index closes its files, is waited for."""
        remount, end = ["mount", "-o", "remount,ro", self.folder], time.monotonic() + _CLOSED_WITHIN
        while subprocess.run(remount, check=time.monotonic() > end, capture_output=True).returncode:
            time.sleep(0.1)
        try:
            yield
        finally:
            subprocess.run(["mount", "-o", "remount,rw", self.folder], check=True, capture_output=True)

    @contextmanager
    def seen_read_only(self, folder):
        """Within the block nothing in `folder` can be opened for writing; what is open already can be written."""
        subprocess.run(["mount", "--bind", folder, folder], check=True, capture_output=True)
        try:
            subprocess.run(["mount", "-o", "remount,bind,ro", folder], check=True, capture_output=True)
            yield
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True, capture_output=True)


@pytest.fixture
def disk(tmp_path, request):
    """A disk of as many megabytes as the test is parametrized with, else 4."""
    size = getattr(request, "param", 4)
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs", folder], capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no mount here, so no disk that is soon full")
    if mount.returncode:
        pytest.skip(f"a small disk may not be mounted here: {mount.stderr.decode().strip()}")
    yield SmallDisk(folder)
    subprocess.run(["umount", "--lazy", folder], check=True)


class ForgetfulDisk:
    """A disk that keeps what was synced, and nothing else, when its power is cut."""

    def __init__(self, folder, image):
        self.folder, self._image = folder, image

    def cut(self):
        """From now on every write fails; what has not reached the disk never will."""
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, _SHUTDOWN, struct.pack("I", _WITHOUT_THE_LOG))
        finally:
            os.close(descriptor)

    def mount(self):
        # without auto_da_alloc, which syncs what is renamed though nobody has asked for it
        command = ["mount", "-t", "ext4", "-o", "loop,noauto_da_alloc,commit=300", self._image, self.folder]
        return subprocess.run(command, capture_output=True)

    def restart(self):
        """What there is after a cut. No process may have a file open on it."""
        subprocess.run(["umount", self.folder], check=True, capture_output=True)
        self.mount().check_returncode()


@pytest.fixture
def forgetful(tmp_path):
    folder, image = tmp_path / "forgetful", tmp_path / "image"
    folder.mkdir()
    with image.open("wb") as file:
        file.truncate(64 * 2**20)
    disk = ForgetfulDisk(folder, image)
    try:
        result = subprocess.run(["mkfs.ext4", "-q", image], capture_output=True)
        result = result if result.returncode else disk.mount()
    except FileNotFoundError:
        pytest.skip("there is no mkfs.ext4 or no mount here, so no disk whose power can be cut")
    if result.returncode:
        pytest.skip(f"no disk may be mounted here: {result.stderr.decode().strip()}")
    yield disk
    subprocess.run(["umount", "--lazy", folder], check=True)
