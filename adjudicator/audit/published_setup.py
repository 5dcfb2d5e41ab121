"""Set up the game of published logs again, from their facts about its beginning and the secret of chance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from adjudicator.audit.published_logs import PublishedLog
from adjudicator.core.chance import commitment
from adjudicator.core.problem import AdjudicatorError
from adjudicator.core.ruleset import Player
from adjudicator.core.values import Digest, Name, Seat, Value, field
from adjudicator.library.begin import GameChoices, empty_game
from adjudicator.library.game import Game
from adjudicator.outputs.orders import Begun
from adjudicator.resources import MissingResource
from adjudicator.rulesets import ruleset
from adjudicator.store.components import reference, shipped_version


class CannotCheckError(AdjudicatorError):
    """Report that published logs cannot be checked; the message says what is missing."""


class NotPromisedError(AdjudicatorError):
    """Report that the secret or the set-up is not the promised one; the message says which."""


class GameFacts(Value, kw_only=True):
    """The facts about a game's beginning that its logs do not contain.

    ``ruleset``, ``players`` and ``options`` are for logs in the form of a table, which do not contain them.
    ``components`` and ``position`` are custom ones, as built. ``commitments`` and ``promises`` are the published ones.
    """

    secret: Digest
    ruleset: Name | None = None
    players: tuple[Player, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    components: Any = None
    position: Any = None
    commitments: tuple[Digest, ...] = ()
    promises: tuple[Digest, ...] = ()


def published_session(logs: Sequence[PublishedLog], facts: GameFacts) -> Game:
    """Return the game of ``logs`` with its secret and no entry yet.

    Raises ``CannotCheckError``, ``NotPromisedError``, ``SetupError``, ``UnknownRuleset``.
    """
    right = commitment(bytes.fromhex(facts.secret))
    for published in (*facts.commitments, *(log.commitment for log in logs)):
        if published is not None and published != right:
            raise NotPromisedError(f"the secret is not the one committed to: it gives {right}, published was {published}")
    begun = [log.begun for log in logs if log.begun is not None]
    if any(other != begun[0] for other in begun[1:]):
        raise CannotCheckError("the logs are of different games: they do not agree on how it was begun")
    game = _with_beginning(begun[0], facts) if begun else _with_facts(logs, facts)
    promises = (*facts.promises, *(log.promise for log in logs))
    for promise in promises:
        if promise is not None and promise != game.record.promise:
            if not begun:  # this may be a cheat or a typing error
                words = f"what you say of the beginning gives the promise {game.record.promise}, published was {promise}"
                raise CannotCheckError(
                    f"{words}: give each seat with its name (red=Ann), in order, and the options, as promised"
                )
            words = f"the game is not the one promised: it gives {game.record.promise}, published was {promise}"
            raise NotPromisedError(words)
    return game


def _with_beginning(begun: Begun, facts: GameFacts) -> Game:
    rules = ruleset(begun.ruleset)
    if begun.position and facts.position is None:
        raise CannotCheckError("the game began from an explicit position, which no log tells: give its file with --setup")
    components = facts.components
    if components is None:
        try:
            components = shipped_version(rules, begun.components, begun.components_version)[0]
        except MissingResource:
            words = f"the game has a component set of its own, “{begun.components}”: give its file with --components"
            raise CannotCheckError(words) from None
    if reference(components).hash != begun.components_hash:
        raise CannotCheckError(f"the component set “{components.id}” is not the one that the logs name")
    choices = GameChoices(
        ruleset=begun.ruleset,
        id=begun.game,
        players=begun.players,
        components=components,
        options=begun.options,
        position=facts.position if begun.position else None,
        secret=facts.secret,
        entropy=begun.words,
        version=begun.version,
        is_promised=begun.promise is not None,
    )
    return empty_game(choices)


def _with_facts(logs: Sequence[PublishedLog], facts: GameFacts) -> Game:
    """Return the game of logs that are tables; ``facts`` must give what tables do not contain."""
    if facts.ruleset is None or not facts.players:
        words = "a log as a table does not tell how the game was begun: give --ruleset and --seat, in order, as for `new`"
        raise CannotCheckError(f"{words} (and --option where one was chosen), or a log made with --json")
    rules = ruleset(facts.ruleset)
    text = next((log.words for log in logs if log.words), "")
    choices = GameChoices(
        ruleset=rules.meta.id,
        id=next((log.game for log in logs if log.game), "game"),
        players=facts.players,
        components=facts.components or shipped_version(rules, rules.meta.component_sets[0], 0)[0],
        options=facts.options,
        position=facts.position,
        secret=facts.secret,
        entropy=dict(_words(text, [player.seat for player in facts.players])),
        is_promised=any(log.promise for log in logs),
    )
    return empty_game(choices)


def _words(text: str, seats: Sequence[Seat]) -> Iterator[tuple[str, str]]:
    """Yield each seat with its word from ``text``, a line in the head of a log."""
    names = "|".join(map(re.escape, seats))
    for part in re.split(rf" · (?=(?:{names}): )", text):
        seat, colon, word = part.partition(": ")
        if colon and seat in seats and word != "no word":
            yield seat, word
