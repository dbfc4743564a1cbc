"""What can go wrong with the journal."""


class JournalError(ValueError):
    """The journal cannot be read or written, or does not hold what was asked for; the message says what to do."""
