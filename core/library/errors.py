"""The one error that the library raises."""


class LibraryError(ValueError):
    """A file or a request that the library refuses; the message is one sentence that says what to do."""
