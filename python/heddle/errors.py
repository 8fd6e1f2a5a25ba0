"""Exceptions and warnings: the library's own messages, with the status that the program would end with."""

DONE, FAILED, BAD_INPUT, DEADLOCK, BUDGET, STOPPED = range(6)


class HeddleError(Exception):
    """Something that heddle refused or that failed.

    `str(error)` is the program's own line (file:line, key, what was expected); `error.status` is its exit status:
    1 a check failed, 2 bad input, 3 deadlock, 4 out of cycles or memory, 5 stopped."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status

    def __reduce__(self):
        return HeddleError, (self.status, str(self))


class HeddleWarning(UserWarning):
    """A setting that changes nothing; `strict=True` makes it a HeddleError."""
