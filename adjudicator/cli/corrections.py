"""The commands `undo`, `amend`, `seat`, `reveal`, `pending` and `language`: change a game by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import adjudicator as adj
from adjudicator.cli.orders import next_lines, orders_of
from adjudicator.cli.ui import Force, GameFile, MisuseError, Output, Ui, argument, option, reasons
from adjudicator.core.problem import SetupError
from adjudicator.core.values import MODERATOR, Value
from adjudicator.library.words import ambiguous_words, installed_languages
from adjudicator.reports.heading import head_text
from adjudicator.reports.log import log_text
from adjudicator.reports.receipt import waiting_text
from adjudicator.reports.texts import printable

if TYPE_CHECKING:
    from adjudicator.library.game import Game


Reason = Annotated[str, option(..., "--reason", "WORDS", "the reason, for the record")]


class GameLanguages(Value, kw_only=True):
    """The codes of the ``languages`` in which orders of a game may be written in addition to English.

    ``installed`` are the codes and English names of all installed languages. ``warnings`` name ambiguous words.
    """

    game: str
    languages: tuple[str, ...]
    installed: Mapping[str, str]
    warnings: tuple[str, ...]


def undo(
    ui: Ui,
    game: GameFile,
    reason: Reason,
    to: Annotated[int, option(..., "--to", "N", "the last entry that stays valid")],
    output: Output = None,
    force: Force = False,
) -> None:
    """Return to the position after an entry.

    --to takes the numbers that `log --as moderator` shows; the public log may number the entries differently.

    Later entries stay in the record, marked as undone. If players give the same orders again, they draw the same outcomes.
    Pending orders are set aside, because they were written for another position; `pending` can bring them back.

    Example:
      adjudicator undo race.json --to 12 --reason "blue's mail was overlooked"
    """
    _correct(ui, game, output, lambda before: before.undo(to, reason), force=force)


def amend(
    ui: Ui,
    game: GameFile,
    changes: Annotated[list[str], argument(..., "NAME=VALUE...", "the changes, as explained above")],
    reason: Reason,
    output: Output = None,
    force: Force = False,
) -> None:
    """Change values of the position: a clock, a hand, a tile.

    Use the names in the `state` of the game file: `discard`, `racers[red].hand`, `board[A1].rot`. In brackets comes a
    number (the first is 0), a seat or a name. You can also write `hand of red` and `clock of red`. Case does not matter.
    `=` sets a value (JSON or a bare word), `+=` adds to a list and `-=` removes from it. An impossible position, such as
    one with a tile in two places, is rejected.

    Examples:
      adjudicator amend race.json 'clock of red=31' --reason "misread the dial"
      adjudicator amend race.json 'hand of red-=H5' discard+=H5 --reason slip
      adjudicator amend race.json 'board[A1].rot=90' --reason "was turned"
    """
    _correct(ui, game, output, lambda before: before.amend(changes, reason), force=force)


def seat(
    ui: Ui,
    game: GameFile,
    name: Annotated[str, argument(..., "SEAT", "the seat that gets a new player")],
    holder: Annotated[str, option(..., "--holder", "NAME", "the new player's name")],
    reason: Reason,
    output: Output = None,
    force: Force = False,
) -> None:
    """Give a seat to another player; the game continues.

    Example:
      adjudicator seat race.json red --holder Zoe --reason "Ann moved away"
    """
    _correct(ui, game, output, lambda before: before.hand_over(name, holder, reason), force=force)


def reveal(
    ui: Ui,
    game: GameFile,
    reason: str = option("", "--reason", "WORDS", "the reason, if the game is not over"),
    early: bool = option(False, "--before-the-end", "publish it before the game is over, and record this"),
    output: Output = None,
    force: Force = False,
) -> None:
    """Publish the secret of chance: all can check the draws.

    Do this when the game is over: with the secret anybody can predict later draws.

    Example:
      adjudicator reveal race.json
    """
    if force and output is None:
        raise MisuseError("use --before-the-end, the new name of `reveal --force`; --force only replaces the file of -o")

    def publish(before: Game) -> Game:
        try:
            return before.reveal(reason, force=early)
        except adj.CorrectionError as error:
            if early or "is not over" not in str(error):
                raise
            raise MisuseError(f"{error} (--before-the-end publishes it anyway)") from None

    _correct(ui, game, output, publish, force=force)


def pending(
    ui: Ui,
    game: GameFile,
    viewer: str = option(MODERATOR, "--as", "SEAT", "list only the orders of this seat; without it, all of them"),
    withdraw: str | None = option(None, "--withdraw", "SEAT", "remove the pending orders of this seat"),
    first: int = option(1, "--from", "N", "with --withdraw: the number of the first order to remove"),
    reason: str | None = option(None, "--reason", "WORDS", "with --withdraw: the reason, for the record"),
    bring_back: int | None = option(None, "--bring-back", "N", "make the set-aside orders [N] pending again"),
    output: Output = None,
    force: Force = False,
) -> None:
    """List the pending orders, and those that were set aside.

    --withdraw removes pending orders of a seat. A player can do the same with the order WITHDRAW, or WITHDRAW from 2.

    Pending orders that were replaced, withdrawn or dropped stay in the record, each sheet with a number. --bring-back makes
    a sheet pending again, and sets the present pending orders of that seat aside.

    Examples:
      adjudicator pending race.json
      adjudicator pending race.json --as red
      adjudicator pending race.json --withdraw red --reason "Ann asked by telephone"
      adjudicator pending race.json --withdraw red --from 2 --reason "his wish"
      adjudicator pending race.json --bring-back 2
    """

    def tell(game: Game) -> None:
        reader = game.seen_by(viewer)
        ui.show(waiting := reader.pending, lambda: waiting_text(reader.heading(), waiting))

    if withdraw is not None and bring_back is not None:
        raise MisuseError("use --withdraw or --bring-back, not both")
    if withdraw is None and (reason is not None or first != 1):
        raise MisuseError("use --from and --reason only with --withdraw")
    if withdraw is not None and reason is None:
        raise MisuseError("give the reason with --reason: it stays in the record")
    if withdraw is None and bring_back is None:
        if output is not None or force:
            wrong = "--force" if output is None else "-o"
            raise MisuseError(f"use {wrong} only with --withdraw or --bring-back: a list changes nothing")
        tell(ui.open(game))
        return
    if viewer != MODERATOR:
        raise MisuseError("leave out --as: only the moderator may change pending orders")
    with ui.change(game, output, force=force) as edit:
        if withdraw is not None:
            after = edit.game.withdraw(withdraw, reason or "", first)
        else:
            after = edit.game.bring_back(bring_back or 0)
        tell(after)
        edit.save(after)


def language(
    ui: Ui,
    game: GameFile,
    languages: list[str] | None = argument(
        None,
        "LANGUAGE",
        "all languages besides English, by code or name; `en` for only English; none: show them [repeatable]",
    ),
    output: Output = None,
    force: Force = False,
) -> None:
    """Show or choose the languages of the players' orders.

    English orders are always possible, and the program itself always writes English. The choice applies to all orders from
    now on. The command lists words that are ambiguous between the languages.

    Examples:
      adjudicator language race.json
      adjudicator language race.json de pl
      adjudicator language race.json en
    """

    def tell(game: Game) -> None:
        known, chosen, notes = installed_languages(game), game.record.languages, ambiguous_words(game)
        understood = ", ".join(["English", *(known.get(code, code) for code in chosen)])
        others = ", ".join(f"{code} ({name})" for code, name in known.items() if code not in chosen) or "none"
        lines = [f"languages for the orders of {game.id}: {understood}", f"other available languages: {others}"]
        ui.show(
            GameLanguages(game=game.id, languages=chosen, installed=known, warnings=notes),
            "\n".join([*lines, *(f"note: {words}" for words in notes)]),
        )

    if not languages:
        if output is not None or force:
            raise MisuseError(f"use {'--force' if output is None else '-o'} only with languages: a list changes nothing")
        tell(ui.open(game))
        return
    with ui.change(game, output, force=force) as edit:
        after = edit.game.with_languages(languages)
        tell(after)
        edit.save(after)


def _correct(ui: Ui, game: str, output: str | None, correction: Callable[[Game], Game], *, force: bool) -> None:
    """Apply ``correction`` to the game file, and print the new entry."""

    def text() -> str:
        rows, names, unit = after.seen_by(MODERATOR).log_since(before), after.players, after.meta.unit
        lines = ["", *([] if after.head is None else [head_text(after.head)])]
        lines += [*([] if after.is_over else [f"{after.id} is corrected"]), *next_lines(after, after.id)]
        if dropped := after.correction_since(before).dropped:
            lines.append(f"set aside: {orders_of(dropped)}; `adjudicator pending` lists them and can bring them back")
        if after.pending_counts:
            lines.append(f"pending: {orders_of(after.pending_counts)}")
        lines += (f"note: {note}" for note in after.cautions)
        if rows[0].order == "REVEAL":
            file = quote(edit.target)
            lines += [
                "",
                "The secret is in the record now. Publish it where the commitment was published:",
                f"  secret      {after.secret}",
                f"  commitment  {after.commitment}",
                "Send each player the public log and the player's own log, as JSON:",
                f"  adjudicator log {file} --json > public.jsonl",
                *(f"  adjudicator log {file} --as {seat} --json > {seat}.jsonl" for seat in after.seats),
                "With these logs every player can check that nobody changed a draw (docs/chance.md):",
                f"  adjudicator audit --published public.jsonl {after.seats[0]}.jsonl",
            ]
        log = log_text(rows, unit, with_events=True, width=ui.width, holders=lambda _row: names)
        return "\n".join([log, *map(printable, "\n".join(lines).split("\n"))])

    with ui.change(game, output, force=force) as edit:
        before = edit.game
        try:
            after = correction(before)
        except SetupError as error:
            raise MisuseError(reasons("this position is impossible:", error)) from error
        ui.show(lambda: after.correction_since(before), text, is_safe=True)
        edit.save(after)
