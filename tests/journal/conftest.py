"""The fixtures of tests/support/journals.py."""

from tests.support.journals import journal, make_trace, refused, write  # noqa: F401 - fixtures are used by name
