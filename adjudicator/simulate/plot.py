"""A plot of many games: how long they are, and who wins. Needs the extra ``plot``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from adjudicator.core.ruleset import Meta
from adjudicator.reports.statistics import GameTally, Share, statistics

FORMATS: Final = (".png", ".svg")
"""What a plot's file may end with."""
_MOST_BARS: Final = 12


class CannotPlotError(Exception):
    """There is no plot to be had; the message says why and what helps."""


def require_plot(path: Path) -> None:
    """Raise ``CannotPlotError`` if no plot can be drawn for ``path``: better before the games than after them."""
    if path.suffix.lower() not in FORMATS:
        raise CannotPlotError(f"a plot is a file that ends with {' or '.join(FORMATS)}; “{path.name}” does not")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise CannotPlotError("a plot needs the extra `plot`: pip install 'adjudicator[plot]'") from None


def draw_plot(tallies: Sequence[GameTally], about: Meta, path: Path) -> None:
    """Write the plot of ``tallies`` to ``path``, PNG or SVG by its name. Raises ``CannotPlotError``."""
    require_plot(path)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    found = statistics(tallies)
    shares = [(by, values) for by, values in found.shares.items() if 1 < len(values) <= _MOST_BARS]
    figure = Figure(figsize=(5 * (2 + len(shares)), 4), layout="constrained")
    axes = figure.subplots(1, 2 + len(shares), squeeze=False)[0]
    axes[0].hist([tally.orders for tally in tallies], bins=30)
    axes[0].set(title="length", xlabel="orders", ylabel="games")
    axes[1].hist([seat.score for tally in tallies if tally.is_finished for seat in tally.seats if seat.place == 1], bins=30)
    axes[1].set(title="the winner", xlabel=about.unit[1], ylabel="games")
    for axis, (by, values) in zip(axes[2:], shares, strict=True):
        _bars(axis, by, values)
    figure.suptitle(f"{about.name}: {found.games} games")
    try:
        # No date and no random ids: the same games give the same file.
        with mpl.rc_context({"svg.hashsalt": "adjudicator"}):
            figure.savefig(path, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    except OSError as error:
        raise CannotPlotError(f"{path} cannot be written: {error.strerror or error}") from error


def _bars(axis: Any, by: str, values: Sequence[Share]) -> None:
    axis.barh([share.value for share in values], [100 * share.won / share.played for share in values])
    axis.set(title=f"won, by {by}", xlabel="% of games")
    axis.invert_yaxis()
