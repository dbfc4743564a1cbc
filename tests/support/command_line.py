"""The command line, called in the process of the test."""

import json

from core.__main__ import main


def run_on(command, rows, home, capsys, *arguments):
    """The exit code of a command on a bank of these rows, and what it printed."""
    bank = home / "bank.jsonl"
    bank.write_text("\n".join(json.dumps(row) for row in rows))
    code = main([command, "--bank", str(bank), "--home", str(home / "home"), *arguments])
    return code, capsys.readouterr()
