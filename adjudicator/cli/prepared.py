"""The commands `words` and `begin`: begin a game that `new --commit-only` has prepared."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.arguments import Json, pairs
from adjudicator.cli.failures import explained
from adjudicator.cli.files import hold, sound_bytes, write_file, write_new
from adjudicator.cli.new_game import tell_game
from adjudicator.cli.output import MisuseError, say_bytes, say_json, say_safely, say_unchanged

if TYPE_CHECKING:
    from adjudicator.library.begin import Prepared

PreparedFile = Annotated[
    str, typer.Argument(metavar="GAME", help="the file that `new --commit-only` wrote", show_default=False)
]


def words(
    game: PreparedFile,
    word: Annotated[
        list[str] | None, typer.Argument(metavar="SEAT=WORD...", help="the words that players have sent", show_default=False)
    ] = None,
    publish: Annotated[
        bool, typer.Option("--publish", help="close the list: the words can no longer change, and `begin` may follow")
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="SEAT", help="with --publish: a seat that has sent no word [repeatable]"),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="replace the word of a seat that has one")] = False,
    as_json: Json = False,
) -> None:
    """Collect the players' words for chance, and publish them.

    Case and extra spaces do not matter. Without a word, the command lists the words and the seats that have sent none.

    Examples:
      adjudicator words race.json red=horse blue=umbrella
      adjudicator words race.json --publish --without blue
    """
    with explained(as_json=as_json):
        if without and not publish:
            raise MisuseError("use --without only with --publish: until then the word may still come")
        written = {name.lower(): text for name, text in pairs(word or (), "a word", "SEAT=WORD").items()}
        if len(written) != len(word or ()):
            raise MisuseError("give only one word for each seat")

        def change(prepared: Prepared) -> Prepared:
            changed = prepared.add_words(written, replace=replace) if written else prepared
            return changed.publish(without or ()) if publish else changed

        _tell_words(_changed(game, change), game, as_json=as_json)


def begin(game: PreparedFile, as_json: Json = False) -> None:
    """Deal and begin a prepared game whose words are published.

    The game file replaces the file of the prepared game.

    Example:
      adjudicator begin race.json
    """
    with explained(as_json=as_json):
        from adjudicator.library.begin import open_prepared
        from adjudicator.library.errors import PreparationError

        _refuse_streams(game)
        with hold(game):
            try:
                begun = open_prepared(game).begin()
            except PreparationError as error:
                raise MisuseError(f"{error}: adjudicator words {shlex.quote(game)} --publish") from error
            write_file(game, sound_bytes(begun))
        tell_game(begun, game, as_json=as_json)


def write_prepared(prepared: Prepared, output: str, *, force: bool, as_json: bool) -> None:
    """Write the ``prepared`` game to the file ``output``, and print what to publish."""
    from adjudicator.reports.cli.promise import promise_text, promised_game

    data = prepared.to_bytes()
    if output == "-":
        say_bytes(data)
        return
    write_new(Path(output), data, force=force)
    promise = prepared.promise
    if as_json:
        say_json(promised_game(promise, output))
        return
    named = shlex.quote(output)
    example = " ".join(f"{seat}=WORD" for seat, _ in promise.seats)
    steps = {
        f"words {named} {example}": "for each word that you receive",
        f"words {named} --publish": "when you have all words: publish its output",
        f"begin {named}": "if nobody objects: it deals",
    }
    say_safely(f"{output}: prepared, not begun. Publish this today, word for word:\n")
    say_unchanged(promise_text(promise))
    say_safely(f"\n{_next(steps)}")


def _changed(game: str, change: Callable[[Prepared], Prepared]) -> Prepared:
    """Return the prepared game in the file ``game`` after ``change``, and save it if it is different."""
    from adjudicator.library.begin import open_prepared
    from adjudicator.library.errors import PreparationError

    _refuse_streams(game)
    with hold(game):
        before = open_prepared(game)
        try:
            prepared = change(before)
        except PreparationError as error:
            raise MisuseError(f"{error}; nothing was changed") from error
        if prepared != before:
            write_file(game, prepared.to_bytes())
    return prepared


def _tell_words(prepared: Prepared, game: str, *, as_json: bool) -> None:
    from adjudicator.reports.cli.promise import promised_game, words_text

    promise, named = prepared.promise, shlex.quote(game)
    if as_json:
        say_json(promised_game(promise, game))
        return
    if promise.are_published:
        steps = {f"begin {named}": "if nobody objects: it deals"}
        say_safely("Publish this, word for word, and wait for objections:\n")
        say_unchanged(words_text(promise))
        say_safely(f"\n{_next(steps)}")
        return
    lines = [f"{prepared.id} has {len(promise.words)} of {len(promise.seats)} words"]
    lines += [f"  {seat}: {word}" for seat, word in promise.words]
    lines += [f"  {seat}: not yet" for seat in promise.silent]
    lines.append("not published yet: until then you can correct a word with --replace")
    more = "".join(f" --without {seat}" for seat in promise.silent)
    steps = {f"words {named} --publish{more}": "if no more words come" if more else "publish the words: you have all"}
    say_safely("\n".join((*lines, _next(steps))))


def _next(steps: dict[str, Any]) -> str:
    width = max(map(len, steps))
    return "\n".join(("next:", *(f"  adjudicator {step:{width}}  {words}" for step, words in steps.items())))


def _refuse_streams(game: str) -> None:
    if game == "-":
        raise MisuseError("name the file of the prepared game: the command changes it, so standard input is not possible")
