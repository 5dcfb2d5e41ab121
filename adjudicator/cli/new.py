"""The commands `new` and `begin`: set up a game, at once or in steps that prove that the deal was not chosen."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from adjudicator.cli.orders import next_lines
from adjudicator.cli.ui import MisuseError, RulesetId, Ui, argument, option, pairs
from adjudicator.core.phrases import spelled_word
from adjudicator.core.ruleset import Player
from adjudicator.core.values import Digest, Seat, Value, replace
from adjudicator.files.reading import read
from adjudicator.library.begin import new as begin_at_once
from adjudicator.library.begin import open_prepared, prepare_game
from adjudicator.library.errors import PreparationError
from adjudicator.library.game import read_players
from adjudicator.library.texts import read_outcomes
from adjudicator.library.words import ambiguous_words
from adjudicator.reports.texts import printable
from adjudicator.results import Decision, PromisedGame

if TYPE_CHECKING:
    from adjudicator.library.begin import Prepared
    from adjudicator.library.game import Game


_LONGEST_SECRET: Final = 1_000
"""The number of bytes that are read from the file with the secret."""
_MOST_SEATS: Final = 20
"""The number of seats that are listed one by one."""

Many = list[str] | None


class NewGame(Value, kw_only=True):
    """A game that was set up: its ``file``, and the ``commitment`` of its chance, which the moderator should publish.

    ``commitment`` is ``None`` if people write down the random outcomes by hand.
    """

    file: str
    game: str
    ruleset: str
    turn: int
    components: str
    components_version: int
    components_hash: Digest
    commitment: Digest | None
    due: tuple[Decision, ...]


def new(
    ui: Ui,
    ruleset: RulesetId,
    seat: Many = option(None, "--seat", "SEAT[=NAME]", "a seat and its player; give them in the order of play [repeatable]"),
    seats: str | None = option(None, "--seats", "FILE", "a file with many seats, one per line: `seat,name,class`"),
    output: str = option("game.json", "-o", "--output", "FILE", "the new game file; `-` for standard output"),
    option: Many = option(
        None, "--option", "NAME=VALUE", "an option of the game; `adjudicator games` lists them [repeatable]"
    ),
    components: str | None = option(None, "SET", "the name of a component set, or a file with your own set"),
    setup: str | None = option(None, "FILE", "a file with the first position, instead of a deal"),
    seed: str | None = option(
        None,
        "FILE",
        "a file with the secret of chance, 64 digits 0-9 and a-f; `-` for standard input; without it, a new secret."
        " You can also give the digits themselves, but only for tests: other users of this computer can see them",
    ),
    entropy: Many = option(None, "--entropy", "SEAT=WORD", "a player's word for chance, mixed into every draw [repeatable]"),
    recorded: str | None = option(None, "FILE", "you draw yourself: FILE has the outcomes of the set-up, in order"),
    commit_only: bool = option(
        False, "--commit-only", "do not deal yet: the players send words first; see `adjudicator begin`"
    ),
    language: Many = option(
        None, "--language", "CODE", "a language for orders besides English; see `adjudicator language` [repeatable]"
    ),
    game_id: str | None = option(None, "--id", "ID", "the id of the game; without it, the name of the file"),
    force: bool = option(False, "--force", "replace the file if it already exists"),
) -> None:
    """Set up a game and write its game file.

    The file contains everything, secrets included: only the moderator may see it. Use `show` to see what a player may see.

    Use --commit-only to prevent even yourself from choosing the deal: the program then deals only after the players have
    sent their words (`begin`).

    Examples:
      adjudicator new checkpoint-rally --seat red=Ann --seat blue=Bob -o race.json
      adjudicator new checkpoint-rally --seat red --seat blue --option map=lower
      adjudicator new checkpoint-rally --seat red --seat blue --commit-only
      adjudicator new checkpoint-rally --seat red --seat blue --language de
      adjudicator new rally-round --seats entrants.csv -o evening.json
    """
    ui.guard((components, setup, recorded, seed, seats), {"-o": output}, force)
    for given, options, why in (
        (commit_only and entropy, "--entropy or --commit-only", "`begin` takes the words later"),
        (commit_only and recorded is not None, "--recorded or --commit-only", "outcomes that you draw need no commitment"),
        (commit_only and language, "--language or --commit-only", "choose the languages when the game has begun"),
        (recorded is not None and seed is not None, "--seed or --recorded", "either the program draws or you do"),
        (recorded is not None and entropy, "--entropy or --recorded", "words are only mixed into the program's draws"),
    ):
        if given:
            raise MisuseError(f"use {options}, not both: {why}")

    def named() -> Iterator[Player]:
        if not seat and seats is None:
            raise MisuseError("name the seats: --seat red=Ann --seat blue=Bob, or --seats FILE with a line for each seat")
        for name, _, holder in (item.partition("=") for item in seat or ()):
            yield Player(Seat(name.strip().lower()), holder.strip())
        yield from () if seats is None else read_players(seats)

    name = "" if output == "-" else Path(output).name.removesuffix(".json")
    wish: dict[str, Any] = {
        "ruleset": ruleset,
        "players": named(),
        "id": game_id or re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-._")[:80] or "game",
        "components": components,
        "options": pairs(option or (), "an option"),
        "position": setup,
        "seed": seed,
    }
    if seed == "-" or (seed is not None and os.path.isfile(seed)):
        digits = read(seed)[1][:_LONGEST_SECRET].decode("ascii", "replace").split()
        wish["seed"] = digits[0] if len(digits) == 1 else ""
    if commit_only:
        prepared = prepare_game(**wish)
        ui.write(output, prepared.to_bytes())
        if output == "-":
            return
        promise, file = prepared.promise, shlex.quote(output)
        ui.show(replace(promise, file=output))
        ui.say(f"{output}: prepared, not begun. Publish this today, word for word:\n")
        ui.say(promise_text(promise), is_fitted=False)
        example = " ".join(f"{player.seat}=WORD" for player in promise.players)
        steps = {
            f"begin {file} {example}": "for each word that you receive",
            f"begin {file} --publish": "when you have all words: publish its output",
            f"begin {file} --deal": "if nobody objects: it deals",
        }
        ui.say(f"\n{next_steps(steps)}")
        return
    game = begin_at_once(
        **wish,
        words=pairs(entropy or (), "a word of entropy", "SEAT=WORD"),
        recorded=None if recorded is None else read_outcomes(recorded),
        languages=language or (),
    )
    for conflict in ambiguous_words(game) if language else ():
        ui.warn(f"note: {conflict}")
    ui.write(output, game.to_bytes())
    if output != "-":
        _tell_game(ui, game, output)


def begin(
    ui: Ui,
    game: Annotated[str, argument(..., "GAME", "the file that `new --commit-only` wrote")],
    word: list[str] | None = argument(None, "SEAT=WORD...", "the words that players have sent"),
    publish: bool = option(False, "--publish", "close the list: the words can no longer change, and --deal may follow"),
    without: Many = option(None, "--without", "SEAT", "with --publish: a seat that has sent no word [repeatable]"),
    replace: bool = option(False, "--replace", "replace the word of a seat that has one"),
    deal: bool = option(False, "--deal", "deal and begin the game; its file replaces that of the prepared game"),
) -> None:
    """Begin a prepared game: collect the players' words, publish, deal.

    Case and extra spaces of words do not matter. Without a word and an option, the command lists the words and the seats
    that have sent none.

    Examples:
      adjudicator begin race.json red=horse blue=umbrella
      adjudicator begin race.json --publish --without blue
      adjudicator begin race.json --deal
    """
    if without and not publish:
        raise MisuseError("use --without only with --publish: until then the word may still come")
    if replace and not word:
        raise MisuseError("use --replace only with a word: SEAT=WORD")
    if deal and (word or publish):
        raise MisuseError("use --deal alone: the words must be published first, so that players can object")
    written = {name.lower(): text for name, text in pairs(word or (), "a word", "SEAT=WORD").items()}
    if len(written) != len(word or ()):
        raise MisuseError("give only one word for each seat")
    with ui.change(game, opener=open_prepared) as edit:
        before: Prepared = edit.game
        try:
            if deal:
                begun = before.begin()
                _tell_game(ui, begun, game)
                edit.save(begun)
                return
            after = before.add_words(written, replace=replace) if written else before
            after = after.publish(without or ()) if publish else after
        except PreparationError as error:
            also = f": adjudicator begin {shlex.quote(game)} --publish" if deal else "; nothing was changed"
            raise MisuseError(f"{error}{also}") from error
        _tell_words(ui, after, game)
        if after != before or (edit.target == "-" and (written or publish)):
            edit.save(after)


def _tell_game(ui: Ui, game: Game, output: str) -> None:
    """Print what a moderator needs to know about the new ``game`` in the file ``output``, and what to do next."""
    file, own = shlex.quote(output), game.components
    seats = [f"{seat} ({player})" if player else seat for seat, player in game.players.items()]
    if len(seats) > _MOST_SEATS:
        seats = [*seats[: _MOST_SEATS // 2], f"… {len(seats) - _MOST_SEATS:,} more …", *seats[-_MOST_SEATS // 2 :]]
    if game.commitment is None:
        chance = ["  chance      recorded: write each outcome in brackets after its order"]
    elif game.promise is None:
        words = "publish it today: at the end it proves that nobody changed a draw"
        chance = [f"  commitment  {game.commitment}", f"              {words}"]
    else:
        words = "you published both before the words: they prove that you did not choose the deal"
        chance = [f"  commitment  {game.commitment}", f"  promise     {game.promise}", f"              {words}"]
    steps = {
        f"show {file} --as {game.seats[0]}": "the position for this player; do so for each seat",
        f"legal {file}": "the legal orders: only for the seat that is due",
        f"turn {file} -o reports/": "a report for each player, to send",
        f"turn {file} ORDERS -o reports/": "when you have received orders, in mails or texts",
    }
    made = NewGame(
        file=output,
        game=game.id,
        ruleset=game.meta.id,
        turn=game.turn,
        components=own.id,
        components_version=own.version,
        components_hash=own.hash,
        commitment=game.commitment,
        due=game.due,
    )
    head = [f"{output}: {game.meta.name}, game {game.id}, components {own.id}", f"  seats       {', '.join(seats)}"]
    ui.show(made, "\n".join([*head, *chance, *next_lines(game), next_steps(steps)]))


def _tell_words(ui: Ui, prepared: Prepared, game: str) -> None:
    """Print the words so far, or, once they are published, the list to publish."""
    promise, named = prepared.promise, shlex.quote(game)
    ui.show(replace(promise, file=game))
    if promise.published:
        ui.say("Publish this, word for word, and wait for objections:\n")
        ui.say(words_text(promise), is_fitted=False)
        ui.say("\n" + next_steps({f"begin {named} --deal": "if nobody objects: it deals"}))
    else:
        lines = [f"{prepared.id} has {len(promise.words)} of {len(promise.players)} words"]
        lines += [f"  {seat}: {word}" for seat, word in promise.words.items()]
        lines += [f"  {seat}: not yet" for seat in promise.silent]
        lines.append("not published yet: until then you can correct a word with --replace")
        more = "".join(f" --without {seat}" for seat in promise.silent)
        why = "if no more words come" if more else "publish the words: you have all"
        ui.say("\n".join((*lines, next_steps({f"begin {named} --publish{more}": why}))))


def next_steps(steps: dict[str, str]) -> str:
    """Return the commands in ``steps``, each with what it is for, under a heading."""
    width = max(map(len, steps))
    return "\n".join(("next:", *(f"  adjudicator {step:{width}}  {words}" for step, words in steps.items())))


def promise_text(promise: PromisedGame) -> str:
    """Return the announcement to publish before the players send their words."""
    options = " ".join(f"{name}={value}" for name, value in promise.options.items())
    lines = [
        f"game {promise.game}: {promise.name}, version {promise.version} of the rules",
        f"  seats       {', '.join(f'{one.seat} ({one.holder})' if one.holder else one.seat for one in promise.players)}",
        *([f"  options     {options}"] if options else []),
        f"  components  {promise.components}, version {promise.components_version}, {promise.components_hash}",
        *(["  position    explicit; the promise fixes it"] if promise.position else []),
        f"  commitment  {promise.commitment}",
        f"  promise     {promise.promise}",
        "Each player now sends one word of 3 to 60 letters, digits and spaces. The moderator publishes all words.",
        "Then the game begins. The promise fixes everything above it, and the commitment fixes the secret of chance:",
        "no moderator can choose the deal.",
    ]
    return "\n".join(map(printable, lines))


def words_text(promise: PromisedGame) -> str:
    """Return the announcement to publish before the game begins: each seat with its word, or without one."""
    lines = [f"game {promise.game}: the words of its players", f"  promise     {promise.promise}"]
    lines += [f"  {seat}: {spelled_word(word)}" for seat, word in promise.words.items()]
    lines += [f"  {seat}: no word" for seat in promise.silent]
    lines.append("Check your word. If it is missing or wrong, tell the moderator today, and the game does not begin yet.")
    return "\n".join(map(printable, lines))
