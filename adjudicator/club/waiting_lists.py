"""Keep the part of the ledger about waiting lists for new games, and the places on them."""

from __future__ import annotations

from typing import Final

from adjudicator.club.people import People
from adjudicator.core.values import Value

ENGLISH: Final = ("en", "english")
"""The words for the language of all games."""


class NextGame(Value, kw_only=True):
    """The next game of a ``ruleset``, with so many ``players``.

    ``options`` are lines `name=value`, ``deadline`` is a duration (empty: as in the club). ``condition`` is what the
    standing of a player must meet, such as `reliability>=90` (empty: nothing). ``language`` is the code of the language in
    which its players may write orders, besides English (empty: none). ``is_set`` says that `club.toml` offers it.
    """

    ruleset: str
    players: int
    options: str
    deadline: str
    condition: str = ""
    language: str = ""
    is_set: bool = False

    @property
    def words(self) -> str:
        """The game as text: ``great-race, 3 players, 48 hours for a turn``."""
        deadline = [f"{self.deadline} for a turn"] if self.deadline else []
        more = [*deadline, *([f"language={self.language}"] if self.language else []), *filter(None, [self.condition])]
        return ", ".join([self.ruleset, f"{self.players} players", *self.options.splitlines(), *more])


class WaitingList(NextGame, kw_only=True):
    """The list for a next game: when it was ``opened`` (0: it waits for the moderator).

    ``game`` is the id of its game as soon as all have confirmed.
    """

    id: int
    opened: int
    game: str


class Place(Value, kw_only=True):
    """The place of a ``person`` on a ``list``: when they joined it, were asked to confirm it, and confirmed it (0: not)."""

    list: int
    person: int
    joined: int
    asked: int
    confirmed: int


def _terms(one: NextGame) -> tuple[str | int, ...]:
    return one.ruleset, one.players, one.options, one.deadline, one.condition, one.language


class WaitingLists(People):
    """The waiting lists and their places in an open ledger."""

    def open_lists(self) -> list[WaitingList]:
        """Return the open lists, by ruleset."""
        return self._db.all(WaitingList, "select * from lists where opened > 0 and begun = 0 order by ruleset")

    def waiting_list(self, number: int) -> WaitingList | None:
        """Return the list with this number whose game has not begun."""
        return self._db.first(WaitingList, "select * from lists where id = ? and begun = 0", (number,))

    def add_list(self, one: NextGame, opened: int) -> int:
        """Add the list for a game; return its number. It is open unless ``opened`` is 0: then `open_list` opens it."""
        self._db.execute(
            "insert into lists (ruleset, players, options, deadline, condition, language, is_set, opened)"
            " values (?, ?, ?, ?, ?, ?, ?, ?)",
            (*_terms(one), int(one.is_set), opened),
        )
        return int(self._db.execute("select last_insert_rowid()").fetchone()[0])

    def proposed_list(self, one: NextGame) -> int:
        """Return the number of the list for such a game that waits for the moderator; 0 if there is none."""
        row = self._db.execute(
            "select id from lists where opened = 0 and begun = 0 and ruleset = ? and players = ? and options = ?"
            " and deadline = ? and condition = ? and language = ?",
            _terms(one),
        ).fetchone()
        return 0 if row is None else int(row[0])

    def names_of_games(self) -> set[str]:
        """Return the ids of all games that began, or begin, from a list."""
        return {row[0] for row in self._db.execute("select game from lists")}

    def open_list(self, number: int, now: int) -> None:
        """Open a list that waits for the moderator."""
        self._db.execute("update lists set opened = ? where id = ?", (now, number))

    def name_game(self, number: int, game: str) -> None:
        """Record the id of the game that begins from a list."""
        self._db.execute("update lists set game = ? where id = ?", (game, number))

    def close_list(self, number: int, now: int) -> None:
        """Close a list."""
        self._db.execute("update lists set begun = ? where id = ?", (now, number))

    def move_place(self, place: Place, number: int) -> None:
        """Move a place to the list with this number."""
        self._db.execute("update places set list = ? where list = ? and person = ?", (number, place.list, place.person))

    def places(self, number: int) -> list[Place]:
        """Return the places on a list in the order in which people joined it."""
        return self._db.all(Place, "select * from places where list = ? order by joined, rowid", (number,))

    def places_of(self, person: int) -> list[Place]:
        """Return the places of a person on lists that are open, or that wait for the moderator."""
        query = "select places.* from places join lists on lists.id = list where person = ? and begun = 0 order by list"
        return self._db.all(Place, query, (person,))

    def set_place(self, place: Place) -> None:
        """Store a place: a new one, or one whose person was asked or has confirmed."""
        self._db.execute(
            "insert into places (list, person, joined, asked, confirmed) values (?, ?, ?, ?, ?)"
            " on conflict (list, person) do update set asked = excluded.asked, confirmed = excluded.confirmed",
            (place.list, place.person, place.joined, place.asked, place.confirmed),
        )

    def leave_list(self, number: int, person: int) -> None:
        """Delete the place of a person on a list."""
        self._db.execute("delete from places where list = ? and person = ?", (number, person))
