"""Read time sheets that were kept by hand, as JSON."""

from __future__ import annotations

from adjudicator.outputs.time_sheets import TimeSheets
from adjudicator.store import typed
from adjudicator.store.errors import Untrusted
from adjudicator.store.kinds import name_whole_game
from adjudicator.store.reading import parse


def load_time_sheets(name: str, data: bytes) -> TimeSheets:
    """Return the time sheets in ``data``, the bytes of the file ``name``. Raises ``Untrusted`` with all problems."""
    from adjudicator.store import checking
    from adjudicator.store.schema import TIME_SHEETS

    _, document = parse(name, data)
    wrong = checking.violations_of(TIME_SHEETS, document)
    if wrong:
        raise Untrusted(name, name_whole_game(document) or wrong, "these are not time sheets")
    document.pop("$schema", None)
    try:
        found: TimeSheets = typed.convert(TimeSheets, document)
    except typed.Misfit as misfit:
        raise Untrusted(name, [misfit.violation], "these are not time sheets") from None
    return found
