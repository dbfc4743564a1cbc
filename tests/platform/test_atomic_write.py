"""A file that was said to be kept is there after a power cut: its bytes and its name have reached the disk."""

import os

import pytest

from core.platform.atomic_write import write_whole
from core.presets.saved import SavedPresets
from core.thresholds import Preset

KEPT = {
    "presets/mine.json": lambda home: SavedPresets(home).save(Preset(name="mine", help="Mine.")),
    "any.txt": lambda home: write_whole(home / "any.txt", b"whole"),
}


@pytest.mark.parametrize("name", KEPT)
def test_the_bytes_and_then_the_name_reach_the_disk(tmp_path, monkeypatch, name):
    synced, path, fsync = [], tmp_path / name, os.fsync

    def noted(descriptor):
        fsync(descriptor)
        synced.append((os.fstat(descriptor).st_ino, path.exists()))

    monkeypatch.setattr(os, "fsync", noted)
    KEPT[name](tmp_path)
    assert synced == [(path.stat().st_ino, False), (path.parent.stat().st_ino, True)]


def test_a_file_that_cannot_be_written_leaves_what_was_there_and_nothing_beside_it(tmp_path, monkeypatch):
    write_whole(tmp_path / "kept.txt", b"before")

    def broken(_):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="full"):
        write_whole(tmp_path / "kept.txt", b"after")
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("kept.txt", b"before")]
