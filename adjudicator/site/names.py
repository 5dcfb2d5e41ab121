"""Hide the names of players in a game, so that a page shows only their seats."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from adjudicator.core.corrections import Past, SeatHanded
from adjudicator.core.game import Record
from adjudicator.core.journal import Link
from adjudicator.core.values import Seat, replace


def without_names(record: Record, named: Collection[Seat]) -> Record:
    """Return ``record`` without the names of its players, except for the present players of the seats ``named``.

    The hashes of its entries stay, so the heads on its pages are those of the reports. Its promise goes: with the names
    left out, nobody can check it, and with guessed names, it would confirm them.
    """
    past = Past(record.setup.players)
    for link in record.journal:
        past.take(link.entry)
    shown = {seat: name for seat, name in past.holders.items() if seat in named}

    def name_of(seat: Seat, name: str) -> str:
        return name if name == shown.get(seat) else ""

    def hidden(event: Any) -> Any:
        if not isinstance(event, SeatHanded):
            return event
        return replace(event, before=name_of(event.seat, event.before), holder=name_of(event.seat, event.holder))

    def of_link(link: Link) -> Link:
        events = tuple(map(hidden, link.entry.events))
        return link if events == link.entry.events else replace(link, entry=replace(link.entry, events=events))

    players = tuple(replace(one, holder=name_of(one.seat, one.holder)) for one in record.setup.players)
    return replace(
        record,
        setup=replace(record.setup, players=players),
        chance=replace(record.chance, promised=False),
        journal=tuple(map(of_link, record.journal)),
    )
