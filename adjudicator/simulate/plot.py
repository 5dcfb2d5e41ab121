"""Plot many games: lengths, wins, how seats end. Needs the extra ``plot``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.ruleset import GameMeta
from adjudicator.simulate.statistics import GameTally, statistics

FORMATS: Final = (".png", ".svg")
"""The file extensions of a plot."""
MADE_BY: Final = "adjudicator"
"""The program that a plot names as its maker."""
_MOST_BARS: Final = 12
_ABREAST: Final = 3
"""Plots in a row."""


class CannotPlotError(AdjudicatorError):
    """Report why a plot cannot be drawn, and what helps."""


def require_plot(path: str | Path) -> None:
    """Raise ``CannotPlotError`` if no plot can be drawn for ``path``; call it before you simulate the games."""
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise CannotPlotError(f"the name of a plot ends with {' or '.join(FORMATS)}, not “{path.name}”")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise CannotPlotError("a plot needs the extra `plot`: pip install 'pbem-adjudicator[plot]'") from None


def draw_plot(tallies: Sequence[GameTally], about: GameMeta, path: str | Path) -> None:
    """Draw the results in ``tallies`` as a plot, and write it to ``path``, whose extension selects PNG or SVG.

    Raises ``CannotPlotError``.
    """
    path = Path(path)
    require_plot(path)
    import matplotlib as mpl
    from matplotlib.figure import Figure

    found = statistics(tallies)
    shares = [(by, values) for by, values in found.wins.items() if 1 < len(values) <= _MOST_BARS]
    rows = -(-(3 + len(shares)) // _ABREAST)
    figure = Figure(figsize=(5 * _ABREAST, 4 * rows), layout="constrained")
    axes = list(figure.subplots(rows, _ABREAST, squeeze=False).flat)
    scores = [seat.score for tally in tallies if tally.is_finished for seat in tally.seats if seat.place == 1]
    _histogram(axes.pop(0), "length", [tally.orders for tally in tallies], "orders")
    _histogram(axes.pop(0), "the winner", scores, about.unit[1])
    for by, values in shares:
        won = [100 * share.won / share.played for share in values]
        _bars(axes.pop(0), f"won, by {by}", [share.value for share in values], won, "% of games")
    endings = dict(list(found.results.items())[:_MOST_BARS])
    _bars(axes.pop(0), "how seats ended", list(endings), list(endings.values()), "seats")
    for axis in axes:
        axis.set_axis_off()
    figure.suptitle(f"{about.name}: {found.games} games")
    try:
        # No date and no random ids: the same games give the same file.
        with mpl.rc_context({"svg.hashsalt": "adjudicator"}):
            is_svg = path.suffix.lower() == ".svg"
            figure.savefig(path, metadata={"Date": None, "Creator": MADE_BY} if is_svg else {"Software": MADE_BY})
    except OSError as error:
        raise CannotPlotError(f"{path} cannot be written: {error.strerror or error}") from error


def _histogram(axis: Any, title: str, values: Sequence[int], unit: str) -> None:
    axis.hist(values, bins=30)
    axis.set(title=title, xlabel=unit, ylabel="games")


def _bars(axis: Any, title: str, names: Sequence[str], lengths: Sequence[float], unit: str) -> None:
    axis.barh(names, lengths)
    axis.set(title=title, xlabel=unit)
    axis.invert_yaxis()
