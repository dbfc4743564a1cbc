"""The command `home`: a run-time folder checked, kept in one file, and had back from it."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path

from core.command.terminal import line
from core.home import BackupError, Finding, backup, check, restore
from core.startup import home_folder


def add_options(sub: ArgumentParser) -> list[ArgumentParser]:
    """What `home` is told; the parsers of its actions."""
    about = {
        "check": ("can all of it be read? What can be made anew is", _check),
        "backup": ("write it into one file", _backup),
        "restore": ("make a new folder from that", _restore),
    }
    actions, found = sub.add_subparsers(dest="action", required=True), []
    for name, (what, run) in about.items():
        found.append(actions.add_parser(name, help=what))
        found[-1].set_defaults(run=run)
        if name != "check":
            found[-1].add_argument("file", type=Path, metavar="FILE.zip")
    return found


def told(findings: Iterable[Finding]) -> int:
    """A line for each part; 1 when one of them is broken."""
    found = list(findings)
    for finding in found:
        line(f"{finding.part}: {finding.state}: {finding.sentence}", 0)
    return int(any(finding.state == "broken" for finding in found))


def _check(options: Namespace) -> int:
    return told(check(home_folder(options.home)))


def _backup(options: Namespace) -> int:
    count = backup(home_folder(options.home), options.file)
    return line(f"{options.file.name} holds {count} files; keep it where only you can read it.", 0)


def _restore(options: Namespace) -> int:
    if options.home is None:
        raise BackupError("A backup is restored into a new folder; name it with --home DIR.")
    restore(options.file, options.home)
    print("Restored; what it holds:", file=sys.stderr)
    return told(check(options.home))
