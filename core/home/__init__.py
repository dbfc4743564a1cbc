"""A run-time folder as a whole: whether everything in it can be read, its backup, and a new one from that."""

from core.home.backup import BackupError, backup, restore
from core.home.check import Finding, check

__all__ = ["BackupError", "Finding", "backup", "check", "restore"]
