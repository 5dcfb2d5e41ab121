"""Define the output about desks, which run the program in a browser."""

from __future__ import annotations

from adjudicator.core.frozen import frozen


@frozen(kw_only=True)
class WrittenDesk:
    """A desk in ``folder``: its ``release``, the number of its ``files``, and their ``size`` in bytes."""

    folder: str
    release: str
    files: int
    size: int
