"""A decision is written down whether or not anybody reads what is printed."""

import os
import sys

from core.__main__ import main
from core.journal import Journal


def test_a_reader_that_has_gone_loses_no_decision(home, monkeypatch):
    reading, writing = os.pipe()
    os.close(reading)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", os.fdopen(writing, "w", buffering=1))
        where = ["--home", str(home / "home")]
        assert main(["ask", "What is photosynthesis?", "--json", "--journal", *where]) == 1
        sys.stdout.close()
    (decided,) = Journal(home / "home").rows()
    assert decided.question == "What is photosynthesis?"
