"""Write tables of games with their filters, and the records among the games of a ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from adjudicator.core.values import Seat
from adjudicator.reports.heading import player_name
from adjudicator.reports.list_page import Cell, Choice, ListTable, Row
from adjudicator.reports.sanitize import printable
from adjudicator.reports.site_game import VERIFIED, SiteGame, newest_first, page_name, player_page
from adjudicator.reports.table import signed

LONGEST: Final = 250
"""The greatest number of rows of a table on one page."""
_HEADINGS: Final = ("game", "ruleset", "result", "orders", "finished", "audit")
_RULESET, _FINISHED = 1, 4
_MARK: Final = -8
"""The end of the name of a page, which is different for each source."""


def game_table(games: Sequence[SiteGame], *, first: int = 0, has_search: bool = False, title: str = "Games") -> ListTable:
    """Return a table of ``games``, the latest first, from the game ``first`` on, up to the limit for one page.

    With ``has_search`` its search finds all other games as well.
    """
    ordered = newest_first(games)
    here = ordered[first : first + LONGEST]
    more = _index(ordered[first + LONGEST :]) if has_search and len(ordered) > first + LONGEST else None
    return ListTable(title, _HEADINGS, tuple(map(_row, here)), tuple(_choices(ordered)), more, len(ordered))


def records_table(games: Sequence[SiteGame]) -> ListTable:
    """Return the longest and shortest game, and the highest and lowest score of a winner, among verified ``games``."""
    over = [game for game in games if game.is_over and game.status == VERIFIED]
    lengths = [(game.tally.orders, game) for game in over if game.tally is not None]
    winning = [(seat.score, seat.seat, game) for game in over for seat in game.ranked if seat.place == 1]
    rows = []
    if over:
        for title, choose in (("longest game", max), ("shortest game", min)):
            orders, game = choose(lengths, key=lambda one: one[0])
            rows.append(_record(title, f"{orders} orders", game))
    if winning:
        for title, choose in (("highest score of a winner", max), ("lowest score of a winner", min)):
            score, seat, game = choose(winning, key=lambda one: one[0])
            rows.append(_record(title, f"{signed(score, game.unit)} {game.unit.short}", game, seat))
    return ListTable("Records", ("record", "value", "player", "game"), tuple(rows))


def _record(title: str, value: str, game: SiteGame, seat: str = "") -> Row:
    held = dict(game.players)
    who = _player(seat, held.get(seat, "")) if seat else Cell("")
    return (Cell(title),), (Cell(value),), (who,), (Cell(printable(game.game), game.file),)


def _player(seat: str, holder: str, score: str = "", *, is_strong: bool = False) -> Cell:
    return Cell(printable(player_name(seat, {Seat(seat): holder}) + score), _page_of(holder), is_strong)


def _page_of(holder: str) -> str:
    return player_page(holder) if holder else ""


def _row(game: SiteGame) -> Row:
    return (
        *start_of_row(game),
        (Cell(str(game.tally.orders) if game.tally is not None else ""),),
        (Cell(_finished(game)),),
        (Cell(game.status, is_strong=game.status != VERIFIED),),
    )


def start_of_row(game: SiteGame) -> Row:
    """Return the cells of a row that name ``game``, its ruleset and its players."""
    return (
        (Cell(printable(game.game), game.file, image=game.thumbnail if game.tally is not None else ""),),
        (Cell(game.name, page_name(game.ruleset) if game.ruleset else ""),),
        tuple(_results(game)),
    )


def _results(game: SiteGame) -> Iterator[Cell]:
    """Yield the players, at the end with their scores, and with the winners first and emphasized."""
    held = dict(game.players)
    scores = {str(seat.seat): f" {signed(seat.score, game.unit)}" for seat in game.ranked}
    for at, seat in enumerate(scores or held, 1):
        unit = f" {game.unit.short}" if at == len(scores) else ""
        yield _player(seat, held.get(seat, ""), f"{scores.get(seat, '')}{unit}", is_strong=seat in game.winners)


def result_text(game: SiteGame) -> str:
    """Return the players of ``game`` with their scores."""
    return ", ".join(cell.text for cell in _results(game))


def _finished(game: SiteGame) -> str:
    return (game.date or "yes") if game.is_over else "no"


def _choices(games: Sequence[SiteGame]) -> Iterator[Choice]:
    """Yield the filters that leave something out."""
    rulesets = sorted({game.name for game in games})
    if len(rulesets) > 1:
        yield Choice("ruleset", _RULESET, tuple((name, name) for name in rulesets))
    running = (("no", "in progress"),) if {game.is_over for game in games} == {True, False} else ()
    years = sorted({game.date[:4] for game in games if game.date}, reverse=True)
    unknown = (("yes", "unknown date"),) if years and any(game.is_over and not game.date for game in games) else ()
    options = (*running, *((year, year) for year in years), *unknown)
    if len(options) > 1 or running:
        yield Choice("finished", _FINISHED, options)


def _index(games: Sequence[SiteGame]) -> dict[str, Any]:
    """Return ``games`` as short data for the script: names are written once, and rows refer to them by number.

    A row has the file, the game if its name is not the beginning of the file, its ruleset, its players (winners as
    −1 − number), its orders, its end, and its verdict.
    """
    rulesets: dict[tuple[str, str], int] = {}
    players: dict[tuple[str, str], int] = {}
    verdicts: dict[str, int] = {}
    rows = []
    for game in games:
        held, numbers = dict(game.players), []
        for seat in [str(seat.seat) for seat in game.ranked] or held:
            holder = held.get(seat, "")
            number = players.setdefault((printable(holder or seat), _page_of(holder)), len(players))
            numbers.append(-1 - number if seat in game.winners else number)
        ruleset = rulesets.setdefault((game.name, page_name(game.ruleset)), len(rulesets))
        orders = game.tally.orders if game.tally is not None else 0
        verdict = verdicts.setdefault(game.status, len(verdicts))
        stem = game.file.removesuffix(".html")
        name = "" if stem.rpartition("/")[2][:_MARK] == f"{game.game}-" else printable(game.game)
        rows.append((stem, name, ruleset, numbers, orders, _finished(game), verdict))
    return {"rulesets": list(rulesets), "players": list(players), "verdicts": list(verdicts), "rows": rows}
