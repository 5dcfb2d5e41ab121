"""Define the output about desks, which run the program in a browser."""

from __future__ import annotations

from adjudicator.core.values import Value


class WrittenDesk(Value, kw_only=True):
    """A desk in ``folder``: its ``release``, the ``file_count``, and the ``size`` of all files in bytes."""

    folder: str
    release: str
    file_count: int
    size: int
