"""The errors that the library raises."""


class LibraryError(ValueError):
    """A file or a request that the library refuses; the message is one sentence that says what to do."""


class Cancelled(LibraryError):  # noqa: N818 - a wish, not an error
    """Somebody wanted the work to stop; nothing of it was kept."""
