"""Send news of games to chat services: a notice for each webhook in `club.toml`, with what bystanders may know.

The ledger queues notices with the letters. It records each one before it goes out, so that an interruption never sends it
twice: the next round gives up a notice of which it does not know whether the service has it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from html import escape
from time import monotonic
from typing import Any, Final, Literal

import adjudicator as adj
from adjudicator.club.consent import agreed_names
from adjudicator.club.folder import ClubFolder
from adjudicator.club.ledger import WEBHOOK, DueLetter, Ledger, NewLetter
from adjudicator.club.letters import message_id
from adjudicator.club.post import Delivery, interrupted_notices, record_result, send_due
from adjudicator.club.settings import Webhook, secret_of
from adjudicator.core.phrases import listed
from adjudicator.core.values import Seat
from adjudicator.mail.smtp import Fate, Handover, post_json, url_flaw
from adjudicator.reports.heading import player_name, result_words
from adjudicator.reports.sanitize import printable
from adjudicator.site import HomeGame

Event = Literal["begin", "turn", "deadline", "over"]
_ROUND: Final = 30.0
"""Seconds after which a round begins no more notices."""
_MOST_NAMES: Final = 5
_LONGEST: Final = 800
"""Characters of a notice: Discord takes 2,000, with escapes and the address."""
_INTERRUPTED: Final = "the club stopped while it sent this: the service may have it, so the club does not repeat it"
_MARKDOWN: Final = re.compile(r"([\\*_~`|<>\[\]()#])")


def announce(club: ClubFolder, ledger: Ledger, game: adj.Game, event: Event, key: str, due: int, now: int) -> None:
    """Queue a notice of ``event`` for each webhook that wants it, once for each ``key``; ``due`` is the deadline or 0."""
    hooks = [hook for hook in club.settings.webhooks if event in (hook.events or (event,))]
    hooks = [hook for hook in hooks if game.id in (hook.games or (game.id,))]
    if not hooks:
        return
    words, link = _words(club, ledger, game, event, due), _link(club, game.id)
    for hook in hooks:
        name = webhook_name(hook)
        key_ = f"webhook/{name}/{event}/{key}"
        ledger.queue(
            NewLetter(
                key=key_,
                game=game.id,
                seat="",
                kind=WEBHOOK,
                recipient=name,
                message_id=message_id(club, ledger, key_),
                data=json.dumps(_PAYLOADS[hook.kind](words, link)).encode(),
                at=now,
            )
        )


def webhook_name(hook: Webhook) -> str:
    """Return the name of ``hook`` in the ledger and in messages: its kind, and the place of its address."""
    return f"{hook.kind} {hook.url.env or hook.url.keyring}"


def webhook_flaw(hook: Webhook) -> str:
    """Return why ``hook`` cannot work, as far as its settings show it; empty if it can."""
    try:
        return url_flaw(secret_of(hook.url, "address"))
    except LookupError as error:
        return str(error)


def post_notices(club: ClubFolder, ledger: Ledger, now: int, clock: Callable[[], float] = monotonic) -> Delivery:
    """Send all notices due ``now``, each within a time limit. After a failure, a webhook waits for a later round."""
    last, away = clock() + _ROUND, dict[str, Handover]()
    hooks = {webhook_name(hook): hook for hook in club.settings.webhooks}
    for notice in interrupted_notices(ledger, now):
        record_result(club, ledger, notice, Handover(Fate.REFUSED, _INTERRUPTED), now)

    def send(notice: DueLetter) -> Handover:
        hook = hooks.get(notice.recipient)
        if hook is None:
            return Handover(Fate.REFUSED, "club.toml no longer has this webhook")
        if notice.recipient in away:
            return away[notice.recipient]
        if clock() >= last:
            return Handover(Fate.UNTRIED, f"the notices sent before took {_ROUND:g} seconds")
        flaw = webhook_flaw(hook)
        if flaw:
            handed = Handover(Fate.LATER, flaw)
        else:
            with ledger.change():
                ledger.begin_sending(notice.id)
            handed = post_json(secret_of(hook.url, "address"), notice.data, notice.message_id.strip("<>"))
        if handed.fate is Fate.LATER:
            away[notice.recipient] = handed
        return handed

    return send_due(club, ledger, now, send, is_webhook=True)


def _words(club: ClubFolder, ledger: Ledger, game: adj.Game, event: Event, due: int) -> str:
    """Return the notice as one line of text; it names only players who agree to be named."""
    agreed = agreed_names(club, ledger, game.id)
    held = {seat: name if (seat, name) in agreed else "" for seat, name in game.players.items()}
    until = f" Orders are due {club.moment(due)}." if due else ""
    waiting = f"waiting for {_names(game.due_seats, held)}.{until}"
    match event:
        case "begin":
            words = f"{game.id} begins: {game.meta.name} with {_names(game.seats, held)}; {waiting}"
        case "turn":
            words = f"{game.id}, turn {game.seen_by().turn}: {waiting}"
        case "deadline":
            words = f"{game.id}: the deadline comes soon; {waiting}"
        case "over":
            words = f"{game.id} is over: {result_words(game.standings, held)}."
    return printable(words).replace("@", "\uff20")[:_LONGEST]  # no word in it notifies all members of a room


def _names(seats: tuple[Seat, ...], held: Mapping[Seat, str]) -> str:
    return f"{len(seats)} players" if len(seats) > _MOST_NAMES else listed(player_name(seat, held) for seat in seats)


def _link(club: ClubFolder, game: str) -> str:
    """Return the address of the public page of ``game``; empty if it is not known."""
    url = club.settings.public.url
    return f"{url}{HomeGame(game=game, path='').file}" if url else ""


def _discord(words: str, link: str) -> dict[str, Any]:
    content = "\n".join(filter(None, (_MARKDOWN.sub(r"\\\1", words), link)))
    return {"content": content, "allowed_mentions": {"parse": []}}


def _slack(words: str, link: str) -> dict[str, Any]:
    text = "\n".join(filter(None, (words, link)))
    return {"text": escape(text, quote=False), "mrkdwn": False}


def _matrix(words: str, link: str) -> dict[str, Any]:
    page = f'<br><a href="{escape(link)}">{escape(link)}</a>' if link else ""
    return {"text": "\n".join(filter(None, (words, link))), "html": f"{escape(words)}{page}"}


_PAYLOADS: Final = {"discord": _discord, "slack": _slack, "matrix": _matrix}
