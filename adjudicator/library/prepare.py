"""A game begun in steps, so that no moderator can choose what is dealt: promise, words, their publication, beginning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from adjudicator.core.chance import spelled_word
from adjudicator.core.engine import begin
from adjudicator.core.game import PreparedGame, Record
from adjudicator.core.problem import AdjudicatorError, did_you_mean
from adjudicator.core.values import Seat, replace
from adjudicator.library.beginning import GameChoices, empty_game
from adjudicator.library.game import Game, bind_rules
from adjudicator.orders.player_words import BadWordError, normalize_word
from adjudicator.reports.cli.promise import Promise
from adjudicator.rulesets import ruleset


class PreparationError(AdjudicatorError):
    """Report that a step of the preparation is impossible, with all reasons."""


def prepare(choices: GameChoices) -> PreparedGame:
    """Return the prepared game for ``choices``, without words and before any draw. Raises ``SetupError``."""
    game = empty_game(replace(choices, entropy={}, is_promised=True))
    begin(game.rules, game.record)  # a trial: only a game that can begin may be promised
    record = game.record
    chance = replace(record.chance, without=())  # the seats without a word are known after the publication
    return PreparedGame(
        id=record.id, ruleset=record.ruleset, components=record.components, chance=chance, setup=record.setup
    )


def add_words(prepared: PreparedGame, written: Mapping[str, str], *, is_replacing: bool = False) -> PreparedGame:
    """Return ``prepared`` with the words that seats have ``written``; a second word only with ``is_replacing``.

    Raises ``PreparationError`` with all problems.
    """
    if prepared.are_published:
        raise PreparationError("the words are published and can no longer change; prepare a new game for other words")
    words, wrong = dict(prepared.chance.entropy), []
    for seat, text in ((seat.lower(), text) for seat, text in written.items()):
        if seat not in prepared.setup.seats:
            wrong.append(_nobody(seat, prepared.setup.seats))
            continue
        try:
            word = normalize_word(text)
        except BadWordError as error:
            wrong.append(f"the word of {seat} {error}")
            continue
        if words.get(seat, word) != word and not is_replacing:
            wrong.append(f"the word of {seat} is already “{words[seat]}”; use `replace` to replace it")
        words[seat] = word
    if wrong:
        raise PreparationError("\n".join(wrong))
    return replace(prepared, chance=replace(prepared.chance, entropy=words))


def publish_words(prepared: PreparedGame, without: Iterable[str] = ()) -> PreparedGame:
    """Return ``prepared`` with its final words; the caller must name the seats ``without`` a word.

    Raises ``PreparationError``.
    """
    named = tuple(dict.fromkeys(seat.lower() for seat in without))
    if prepared.are_published:
        if named and set(named) != set(prepared.chance.without):
            raise PreparationError("the words are published: the list of seats without a word can no longer change")
        return prepared
    wrong = [_nobody(seat, prepared.setup.seats) for seat in named if seat not in prepared.setup.seats]
    sent = prepared.chance.entropy
    wrong += [f"leave out `without` {seat}: it has sent the word “{word}”" for seat, word in sent.items() if seat in named]
    missing = [seat for seat in prepared.silent if seat not in named]
    if missing:
        options = " ".join(f"`without` {seat}" for seat in missing)
        wrong.append(f"{', '.join(missing)} sent no word; to continue without it: {options}")
    if wrong:
        raise PreparationError("\n".join(wrong))
    return replace(prepared, chance=replace(prepared.chance, without=prepared.silent), are_published=True)


def begin_prepared(prepared: PreparedGame) -> Game:
    """Return the game that ``prepared`` becomes, set up. Raises ``PreparationError``, ``SetupError``."""
    if not prepared.are_published:
        raise PreparationError("publish the words first")
    rules = bind_rules(ruleset(prepared.ruleset.id), prepared.setup, prepared.ruleset.version)
    record = Record(
        id=prepared.id,
        ruleset=prepared.ruleset,
        components=prepared.components,
        chance=prepared.chance,
        setup=prepared.setup,
        journal=(),
        pending=(),
        state=None,
    )
    return Game.of(begin(rules, record), rules)


def promise_of(prepared: PreparedGame) -> Promise:
    """Return the public part of ``prepared``: everything but the secret and the explicit position."""
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
    return f"this game has no seat “{name}”{did_you_mean(name, seats)}; its seats are: {', '.join(seats)}"
