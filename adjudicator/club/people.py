"""Keep the part of the ledger about the people who join the club by mail."""

from __future__ import annotations

from typing import Final

from adjudicator.club.matters import Matters
from adjudicator.club.names import name_key
from adjudicator.core.values import Value

PEOPLE_TABLES: Final = """
create table people (
  id integer primary key autoincrement, address text not null unique, name text not null default '',
  name_key text not null default '', token text not null, asked integer not null, confirmed integer not null default 0,
  format text not null default 'html', language text not null default '', is_stand_in integer not null default 0,
  new_address text not null default '', new_token text not null default ''
);
create unique index people_by_name on people (name_key) where name_key <> '';
create table lists (
  id integer primary key autoincrement, ruleset text not null, players integer not null, options text not null,
  deadline text not null, is_set integer not null default 0, opened integer not null default 0,
  game text not null default '', begun integer not null default 0, condition text not null default ''
);
create unique index lists_by_ruleset on lists (ruleset) where opened > 0 and begun = 0;
create table places (
  list integer not null, person integer not null, joined integer not null, asked integer not null default 0,
  confirmed integer not null default 0, primary key (list, person)
);
create index places_by_person on places (person);
"""
"""The statements that add the tables of people to a ledger."""


class Person(Value, kw_only=True):
    """A person who has written to join: ``confirmed`` is when they answered with their ``token`` (0: not yet).

    ``asked`` is when the club first asked them to. ``format`` is that of their letters, "html" or "text"; ``language`` is
    the one in which they write orders besides English (empty: none). ``is_stand_in`` says that the club asks them when a
    seat has lost its player. ``new_address`` is one that they want, until they confirm it with
    ``new_token``. ``public`` is their answer to whether public pages may name them: "yes", "no", or empty for none. Times
    are in seconds since 1970.
    """

    id: int
    address: str
    name: str
    token: str
    asked: int
    confirmed: int
    format: str
    language: str
    is_stand_in: bool
    new_address: str
    new_token: str
    public: str


def mailbox_of(address: str) -> str:
    """Return what all addresses of a mailbox have in common, at servers that ignore dots and what follows a plus."""
    name, _, domain = address.lower().rpartition("@")
    return f"{name.partition('+')[0].replace('.', '')}@{domain}"


class People(Matters):
    """The people in an open ledger."""

    def person_at(self, address: str) -> Person | None:
        """Return the person who writes from ``address``."""
        return self._db.first(Person, "select * from people where address = ?", (address,))

    def find_person(self, number: int) -> Person | None:
        """Return the person with this number."""
        return self._db.first(Person, "select * from people where id = ?", (number,))

    def person(self, number: int) -> Person:
        """Return the person with this number. Raises ``KeyError``."""
        found = self.find_person(number)
        if found is None:
            raise KeyError(number)
        return found

    def wants_text(self, address: str) -> bool:
        """Return whether the person who writes from ``address`` wants letters without pages."""
        row = self._db.execute("select 1 from people where address = ? and format = 'text'", (address,)).fetchone()
        return row is not None

    def answer_about_names(self, address: str) -> str:
        """Return what the person who writes from ``address`` says about public pages: "yes", "no" or nothing."""
        row = self._db.execute("select public from people where address = ?", (address,)).fetchone()
        return "" if row is None else str(row[0])

    def members(self) -> list[Person]:
        """Return the people who have confirmed their address, by name."""
        return self._db.all(Person, "select * from people where confirmed > 0 order by name_key, id")

    def member_named(self, name: str) -> Person | None:
        """Return the member called ``name``, in capitals or not."""
        key = name_key(name)
        return self._db.first(Person, "select * from people where name_key = ? and name_key <> ''", (key,))

    def add_person(self, address: str, token: str, now: int, before: int) -> None:
        """Add a person who has not confirmed ``address`` yet; delete those who were asked ``before`` and never did."""
        self._db.execute("delete from people where confirmed = 0 and asked < ?", (before,))
        self._db.execute("insert or ignore into people (address, token, asked) values (?, ?, ?)", (address, token, now))

    def change_person(self, number: int, **values: str | int) -> None:
        """Record new ``values`` of a person, by the names of their columns."""
        places = ", ".join(f"{name} = :{name}" for name in values)
        self._db.execute(f"update people set {places} where id = :id", {**values, "id": number})

    def person_moving_to(self, address: str) -> Person | None:
        """Return the person who last asked for the new ``address``, if they have not confirmed it yet."""
        return self._db.first(Person, "select * from people where new_address = ? order by id", (address,))

    def stand_ins(self) -> list[Person]:
        """Return the members whom the club asks when a seat has lost its player."""
        return self._db.all(Person, "select * from people where is_stand_in = 1 order by id")

    def add_holiday(self, game: str, seat: str, first: int, last: int) -> None:
        """Record that the player of a seat is on holiday from ``first`` to ``last``, in seconds since 1970."""
        self._db.execute("insert or replace into holidays values (?, ?, ?, ?)", (game, seat, first, last))

    def end_holidays(self, game: str, seat: str) -> None:
        """Delete the holidays of the player of a seat, whom another player replaces."""
        self._db.execute("delete from holidays where game = ? and seat = ?", (game, seat))

    def holidays(self, game: str, seat: str, since: int, longest: int) -> list[tuple[int, int]]:
        """Return the begin and the end of each holiday of a player that ends after ``since``, in seconds since 1970.

        A holiday of more than ``longest`` seconds, which an older version may have accepted, does not count.
        """
        query = (
            "select first, last from holidays where game = ? and seat = ? and last > ? and last - first <= ? order by first"
        )
        rows = self._db.execute(query, (game, seat, since, longest))
        return [(int(row["first"]), int(row["last"])) for row in rows]

    def forget_person(self, person: Person) -> None:
        """Delete a person with their places, and the mails and letters of their addresses but for numbers and hashes."""
        moves = f"address/{person.id}/"
        rows = self._db.execute("select key, recipient from letters where substr(key, 1, ?) = ?", (len(moves), moves))
        earlier = {row["recipient"].lower() for row in rows if row["key"].endswith("/old")}  # the others may not be theirs
        self._db.execute("delete from places where person = ?", (person.id,))
        self._db.execute("delete from people where id = ?", (person.id,))
        self._db.execute("delete from holidays where game = 'club' and seat = ?", (str(person.id),))
        named = (f": {person.name} now plays ", ": (deleted) now plays ")
        self._db.execute("update changes set words = replace(words, ?, ?)", named)
        self._db.execute("delete from kept_games")  # the next standing reads them again
        self._db.execute("delete from uses where who in (?, ?)", (f"path/member {person.id}", f"seat/club/{person.id}"))
        for address in (person.address, *(one for one in earlier if self.person_at(one) is None)):
            self._forget_mails(address)
            self.forget_address(address)
        self._db.execute(
            "update letters set recipient = '', data = x'', key = 'deleted/' || id where substr(key, 1, ?) = ?",
            (len(moves), moves),
        )

    def _forget_mails(self, address: str) -> None:
        self._db.execute("delete from uses where who = ?", (f"people/{mailbox_of(address)}",))
        self._db.execute(
            "update letters set state = 'dropped' where recipient = ? and state in ('queued', 'held')", (address,)
        )
        self._db.execute("update letters set recipient = '', data = x'' where recipient = ?", (address,))
        self._db.execute(
            "update mails set address = '', data = x'', state = case when state in ('kept', 'held', 'accepted', 'waiting')"
            " then 'passed over' else state end where address = ?",
            (address,),
        )
