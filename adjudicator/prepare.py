"""A game begun in steps, so that no moderator can choose what is dealt: promise, words, their publication, beginning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from adjudicator.begin import Wish, game_wished
from adjudicator.core.chance import spelled_word
from adjudicator.core.engine import begin
from adjudicator.core.game import Game
from adjudicator.core.ids import Seat
from adjudicator.core.journal import Journal
from adjudicator.core.prepared import PreparedGame
from adjudicator.core.suggestions import suggest
from adjudicator.orders.player_words import BadWordError, normalized_word
from adjudicator.reports.promise import Promise
from adjudicator.rulesets import ruleset
from adjudicator.session import Session, configured


class PreparationError(Exception):
    """A step cannot be taken; the message says why, all of it."""


def prepare(wish: Wish) -> PreparedGame:
    """Return the game asked for, prepared: without words, and nothing drawn. Raises ``SetupError``."""
    wished = game_wished(replace(wish, entropy={}, is_promised=True))
    begin(wished.rules, wished.config, wished.game)  # tried out: a game that cannot begin is not to be promised
    game = wished.game
    chance = replace(game.chance, without=())  # which seats sent none is known when the words are published
    return PreparedGame(id=game.id, ruleset=game.ruleset, components=game.components, chance=chance, setup=game.setup)


def with_words(prepared: PreparedGame, written: Mapping[str, str], *, is_replacing: bool = False) -> PreparedGame:
    """Return ``prepared`` with what is ``written`` by seats as their words; another word only if ``is_replacing``.

    Raises ``PreparationError``, with everything that is wrong.
    """
    if prepared.are_published:
        raise PreparationError("the words were published: they stay as they are. For others, prepare a new game")
    words, wrong = dict(prepared.chance.entropy), []
    for seat, text in ((seat.lower(), text) for seat, text in written.items()):
        if seat not in prepared.setup.seats:
            wrong.append(_nobody(seat, prepared.setup.seats))
            continue
        try:
            word = normalized_word(text)
        except BadWordError as error:
            wrong.append(f"the word of {seat} {error}")
            continue
        if words.get(seat, word) != word and not is_replacing:
            wrong.append(f"the word of {seat} is “{words[seat]}” already; --replace takes the other one")
        words[seat] = word
    if wrong:
        raise PreparationError("\n".join(wrong))
    return replace(prepared, chance=replace(prepared.chance, entropy=words))


def with_words_published(prepared: PreparedGame, without: Iterable[str] = ()) -> PreparedGame:
    """Return ``prepared`` with its words as they stay; seats ``without`` a word must be named.

    Raises ``PreparationError``.
    """
    named = tuple(dict.fromkeys(seat.lower() for seat in without))
    if prepared.are_published:
        if named and set(named) != set(prepared.chance.without):
            raise PreparationError("the words were published: who sent none stays as it is")
        return prepared
    wrong = [_nobody(seat, prepared.setup.seats) for seat in named if seat not in prepared.setup.seats]
    wrong += [f"{seat} has sent a word: “{word}”" for seat, word in prepared.chance.entropy.items() if seat in named]
    missing = [seat for seat in prepared.silent if seat not in named]
    if missing:
        options = " ".join(f"--without {seat}" for seat in missing)
        wrong.append(f"no word has come from {', '.join(missing)}; to go on all the same: {options}")
    if wrong:
        raise PreparationError("\n".join(wrong))
    return replace(prepared, chance=replace(prepared.chance, without=prepared.silent), are_published=True)


def begin_prepared(prepared: PreparedGame) -> Session:
    """Return the game that ``prepared`` becomes, set up. Raises ``PreparationError``, ``SetupError``."""
    if not prepared.are_published:
        raise PreparationError("the words are not published yet: adjudicator words GAME --publish")
    rules = ruleset(prepared.ruleset.id)
    config = configured(rules, prepared.setup, prepared.ruleset.version)
    game = Game(
        id=prepared.id,
        ruleset=prepared.ruleset,
        components=prepared.components,
        chance=prepared.chance,
        setup=prepared.setup,
        journal=Journal(),
        pending=(),
        state=None,
    )
    return Session(begin(rules, config, game), rules, config)


def promise_of(prepared: PreparedGame) -> Promise:
    """Return what everybody may read of ``prepared``: all but the secret, and what a position may hide."""
    setup = prepared.setup
    return Promise(
        game=prepared.id,
        ruleset=prepared.ruleset.id,
        name=ruleset(prepared.ruleset.id).meta.name,
        version=prepared.ruleset.version,
        components=(prepared.components.id, prepared.components.version, prepared.components.hash),
        seats=tuple((player.seat, player.holder) for player in setup.players),
        options=tuple(setup.options.items()),
        has_position=setup.position is not None,
        commitment=prepared.chance.commitment or "",
        promise=prepared.promise,
        words=tuple((seat, prepared.chance.entropy[seat]) for seat in setup.seats if seat in prepared.chance.entropy),
        spelled=tuple((Seat(seat), spelled_word(word)) for seat, word in prepared.chance.entropy.items()),
        silent=prepared.silent,
        are_published=prepared.are_published,
    )


def _nobody(name: str, seats: tuple[Seat, ...]) -> str:
    near = suggest(name, seats, 1)
    hint = f" (did you mean “{near[0]}”?)" if near else ""
    return f"no seat “{name}” in this game{hint}; there are: {', '.join(seats)}"
