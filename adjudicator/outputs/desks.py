"""Define the output about desks, which run the program in a browser."""

from __future__ import annotations

from adjudicator.core.frozen import frozen


@frozen(kw_only=True)
class WrittenDesk:
    """A desk in ``folder``: its ``release``, which follows from its contents, and its ``files`` with their ``size`` in bytes."""

    folder: str
    release: str
    files: int
    size: int
