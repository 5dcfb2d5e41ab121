"""The commands `words` and `begin`: from a game that `new --commit-only` has prepared to one that is played."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adjudicator.cli.arguments import Json, pairs
from adjudicator.cli.failures import explained
from adjudicator.cli.files import sound_bytes, write_new
from adjudicator.cli.new import tell_session
from adjudicator.cli.output import MisuseError, say_bytes, say_json, say_safely

if TYPE_CHECKING:
    from adjudicator.begin import Wish
    from adjudicator.core.prepared import PreparedGame

Prepared = Annotated[
    str, typer.Argument(metavar="GAME", help="the file that `new --commit-only` has written", show_default=False)
]


def words(
    game: Prepared,
    word: Annotated[
        list[str] | None, typer.Argument(metavar="SEAT=WORD...", help="words that have come", show_default=False)
    ] = None,
    publish: Annotated[
        bool, typer.Option("--publish", help="close the list: the words stay, and `begin` may follow")
    ] = False,
    without: Annotated[
        list[str] | None,
        typer.Option("--without", metavar="SEAT", help="with --publish: a seat that sends no word [repeatable]"),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="take another word of a seat that has one")] = False,
    as_json: Json = False,
) -> None:
    """Collect the words of the players, and publish them.

    Capitals and extra spaces do not matter. With no word, it tells what has come and who is missing.

    Examples:
      adjudicator words race.json red=horse blue=umbrella
      adjudicator words race.json --publish --without blue
    """
    with explained(as_json=as_json):
        from adjudicator import prepare

        if without and not publish:
            raise MisuseError("--without goes with --publish: up to then the word may still come")
        written = {name.lower(): text for name, text in pairs(word or (), "a word", "SEAT=WORD").items()}
        if len(written) != len(word or ()):
            raise MisuseError("two words are given for one seat")

        def change(prepared: PreparedGame) -> PreparedGame:
            changed = prepare.with_words(prepared, written, is_replacing=replace) if written else prepared
            return prepare.with_words_published(changed, without or ()) if publish else changed

        _tell_words(_changed(game, change), game, as_json=as_json)


def begin(game: Prepared, as_json: Json = False) -> None:
    """Begin a game whose words are published: it is dealt.

    Its file is replaced by the game file.

    Example:
      adjudicator begin race.json
    """
    with explained(as_json=as_json):
        from adjudicator.prepare import PreparationError, begin_prepared
        from adjudicator.store.prepared import load_prepared
        from adjudicator.store.save import locked, write_atomic

        _refuse_streams(game)
        with locked(game):
            try:
                session = begin_prepared(load_prepared(game))
            except PreparationError as error:
                raise MisuseError(str(error).replace(" GAME ", f" {shlex.quote(game)} ")) from error
            write_atomic(game, sound_bytes(session.game))
        tell_session(session, game, as_json=as_json)


def write_prepared(wish: Wish, output: str, *, force: bool, as_json: bool) -> None:
    """Write the game of ``wish``, prepared, to the file ``output``, and tell what to publish."""
    from adjudicator.prepare import prepare, promise_of
    from adjudicator.reports.promise import promise_text, promised_game
    from adjudicator.store.prepared import dump_prepared

    prepared = prepare(wish)
    data = dump_prepared(prepared)
    if output == "-":
        say_bytes(data)
        return
    write_new(Path(output), data, force=force)
    promise = promise_of(prepared)
    if as_json:
        say_json(promised_game(promise, output))
        return
    named = shlex.quote(output)
    example = " ".join(f"{seat}=WORD" for seat, _ in promise.seats)
    steps = {
        f"words {named} {example}": "the words, as they come",
        f"words {named} --publish": "when all have come: publish what it prints",
        f"begin {named}": "when nobody objects: it deals",
    }
    say_safely(
        f"{output}: prepared, not begun. Publish this today, word for word:\n\n{promise_text(promise)}\n\n{_next(steps)}"
    )


def _changed(game: str, change: Callable[[PreparedGame], PreparedGame]) -> PreparedGame:
    """Return the prepared game in the file ``game`` after ``change``, written back if anything is different."""
    from adjudicator.prepare import PreparationError
    from adjudicator.store.prepared import dump_prepared, load_prepared
    from adjudicator.store.save import locked, write_atomic

    _refuse_streams(game)
    with locked(game):
        before = load_prepared(game)
        try:
            prepared = change(before)
        except PreparationError as error:
            raise MisuseError(f"nothing is changed:\n{error}") from error
        if prepared != before:
            write_atomic(game, dump_prepared(prepared))
    return prepared


def _tell_words(prepared: PreparedGame, game: str, *, as_json: bool) -> None:
    from adjudicator.prepare import promise_of
    from adjudicator.reports.promise import promised_game, words_text

    promise, named = promise_of(prepared), shlex.quote(game)
    if as_json:
        say_json(promised_game(promise, game))
        return
    if promise.are_published:
        steps = {f"begin {named}": "when nobody objects: it deals"}
        say_safely(f"Publish this, word for word, and wait for objections:\n\n{words_text(promise)}\n\n{_next(steps)}")
        return
    lines = [f"{prepared.id} has {len(promise.words)} of {len(promise.seats)} words"]
    lines += [f"  {seat}: {word}" for seat, word in promise.words]
    lines += [f"  {seat}: not yet" for seat in promise.silent]
    lines.append("not published yet: up to then a word may be mended (--replace)")
    more = "".join(f" --without {seat}" for seat in promise.silent)
    steps = {f"words {named} --publish{more}": "if no more words come" if more else "all words have come: publish them"}
    say_safely("\n".join((*lines, _next(steps))))


def _next(steps: dict[str, Any]) -> str:
    width = max(map(len, steps))
    return "\n".join(("next:", *(f"  adjudicator {step:{width}}  {words}" for step, words in steps.items())))


def _refuse_streams(game: str) -> None:
    if game == "-":
        raise MisuseError("a prepared game is changed in its file, not on standard input")
