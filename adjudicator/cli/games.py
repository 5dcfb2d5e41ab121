"""The commands `games`, `rules`, `schema` and `new-ruleset`: what is installed, what it says, and how to add a game."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, Final

import adjudicator as adj
from adjudicator.cli.look import write_drawing
from adjudicator.cli.ui import PROBLEMS, MisuseError, Ui, argument, complete_ruleset, option
from adjudicator.core.problem import did_you_mean
from adjudicator.core.ruleset import GameMeta
from adjudicator.core.values import Digest, Value
from adjudicator.library.rulesets import all_rulesets, component_set, meta_of, rules_of, schema_names, write_ruleset
from adjudicator.library.rulesets import schema as text_of
from adjudicator.reports.drawing_text import drawing_text
from adjudicator.reports.rules import GameRules, found_rules, rules_text
from adjudicator.reports.texts import printable
from adjudicator.results import BrokenGame, KnownGame, OrderProblem

if TYPE_CHECKING:
    from adjudicator.core.ruleset import Option


_OUTPUT: Final = "output."
"""The beginning of the name of a schema for the output of a command."""


class ComponentCatalogue(Value, kw_only=True):
    """A component set: ``parts`` are all its parts, in the form of the ruleset's schema for component sets.

    ``problems`` are the reasons why no game can begin with it.
    """

    ruleset: str
    name: str
    components: str
    components_version: int
    components_hash: Digest
    parts: Mapping[str, Any]
    problems: tuple[OrderProblem, ...] = ()


class SchemaNames(Value):
    """The names of all schemas: those of ``files``, and those of the ``outputs`` of commands."""

    files: tuple[str, ...]
    outputs: tuple[str, ...]


class NewRuleset(Value):
    """The package of a new ruleset: its ``id``, its ``folder``, and the ``files`` there."""

    id: str
    folder: str
    files: tuple[str, ...]


def games(
    ui: Ui,
    ruleset: str | None = argument(
        None,
        "RULESET",
        "the game whose component set you want to see, such as `checkpoint-rally`",
        autocompletion=complete_ruleset,
    ),
    wanted: str | None = option(None, "--set", "--components", "SET", "the name of a set, or a file with your own set"),
    svg: str | None = option(None, "--svg", "FILE", "also draw the tiles or the track; `-` prints only the picture"),
    output: str | None = option(None, "-o", "--output", "FILE", "also copy the set into a new file, as a template"),
    force: bool = option(False, "--force", "replace the file of -o, or a file that is no picture"),
) -> None:
    """List the installed games: players, options, component sets.

    With RULESET you see a component set of this game: its tiles, cards, cars and track. A copy of a set is the template for
    your own: change it, and begin a game with `new --components`. `schema RULESET.components` says what each field means.
    For your own set you get a list of everything that prevents a game with it; for a map, square by square.

    Exit code 1: no game can begin with the set.

    Examples:
      adjudicator games
      adjudicator games checkpoint-rally
      adjudicator games checkpoint-rally -o my-set.json
      adjudicator games checkpoint-rally --set my-set.json --svg my-set.svg
    """
    ui.guard([wanted], {"-o": output, "--svg": svg}, force)
    if ruleset is None:
        if (wanted, svg, output) != (None, None, None):
            raise MisuseError("name a game: --set, --svg and -o are about its component set")
        known = all_rulesets()
        ui.show(
            [one if isinstance(one, BrokenGame) else KnownGame.of(one) for one in known],
            "\n\n".join(
                f"{one.id}  BROKEN: {one.broken}" if isinstance(one, BrokenGame) else _about(one, ui.width) for one in known
            )
            or "no games are installed",
        )
        return
    found = component_set(ruleset, wanted)
    own, shapes, flaws = found.reference, found.drawing, found.problems
    title = printable(f"{found.meta.name}: components {own.id}, version {own.version}")
    if svg is not None and not write_drawing(ui, shapes, title, svg, None):
        raise MisuseError("leave out --svg: this component set has neither tiles nor a track to draw")
    if output is not None:
        ui.write(output, found.copied(f"my-{own.id}" if output == "-" else Path(output).stem).encode())
    if "-" not in (svg, output):
        ui.show(
            lambda: ComponentCatalogue(
                ruleset=found.meta.id,
                name=found.meta.name,
                components=own.id,
                components_version=own.version,
                components_hash=own.hash,
                parts=found.parts,
                problems=flaws,
            ),
            lambda: f"{title}\nhash {own.hash}\n\n{drawing_text(shapes, color=ui.is_colored, width=ui.width)}",
            is_safe=True,
        )
    if flaws:
        ui.code = PROBLEMS
        if not ui.as_json:
            lines = [f"  {flaw.message}{f' ({flaw.rule})' if flaw.rule else ''}" for flaw in flaws]
            ui.warn("\n".join([f"\n{title}: no game can begin with this set", *lines]))


def _about(meta: GameMeta, width: int | None) -> str:
    """Return the description of a game, with its options below each other."""
    lines = [
        f"{meta.id}  {meta.name}, rules version {meta.version}, {meta.players_words}, counts {meta.unit[1]}",
        f"  component sets: {', '.join(meta.component_sets)} (default: {meta.component_sets[0]})",
    ]
    if not meta.options:
        return "\n".join(lines)

    def written(option: Option) -> str:
        name = f"{option.name}.SEAT" if option.per_seat else option.name
        return f"{name}={'|'.join(option.choices) or 'ID'}"

    widest = max(len(written(option)) for option in meta.options)
    if width is not None and widest > width // 2:
        widest = 0
    lines.append("  options (in brackets the default):")
    lines += [f"    {written(option):{widest}}  {option.help} [{option.default}]" for option in meta.options]
    return "\n".join(lines)


def rules(
    ui: Ui,
    game: Annotated[
        str, argument(..., "GAME", "the name of a game, or a game file (for its options); `-` for standard input")
    ],
    asked: list[str] | None = argument(None, "[ID|WORD]...", "numbers of rules, or words to search for"),
) -> None:
    """Print the rules of a game, with all rulings.

    Without an ID or a WORD you get all rules, by section. You can give several IDs; their case does not matter, and you may
    leave out the game's letters. A WORD finds the rules that mention it; several words find the rules that mention all of
    them.

    Examples:
      adjudicator rules checkpoint-rally
      adjudicator rules checkpoint-rally CR-F2
      adjudicator rules checkpoint-rally p2 p3 p4
      adjudicator rules checkered-flag wheel narrow
      adjudicator rules race.json CR-S2
    """
    own = None
    try:
        about = meta_of(game)
    except adj.UnknownRuleset:
        if game != "-" and not os.path.exists(game) and not game.endswith(".json"):
            raise
        opened = ui.open(game)
        about = opened.meta
        own = GameRules(id=opened.id, version=opened.record.ruleset.version, seats=opened.seats, options=opened.options)
    found = rules_of(about.id, asked or ())
    ui.show(
        lambda: found_rules(found, about, own),
        lambda: rules_text(found, about, own, width=min(100, ui.width or 80), color=ui.is_colored),
        is_safe=True,
    )


def schema(
    ui: Ui, name: str | None = argument(None, "NAME", "the schema to print; without it, a list of all schemas")
) -> None:
    """Print the JSON Schema of a file or an output, or list all.

    The output of a command with --json follows the schema of its name, such as `output.apply`, which you can shorten to
    `apply`. If the command fails, the output follows `output.error`.

    Examples:
      adjudicator schema
      adjudicator schema checkpoint-rally.game-file
      adjudicator schema output.apply
    """
    names = schema_names()
    if name is None:
        outputs = tuple(one for one in names if one.startswith(_OUTPUT))
        files = tuple(one for one in names if one not in outputs)
        lines = ["files:", *(f"  {one}" for one in files), "outputs of commands:", *(f"  {one}" for one in outputs)]
        ui.show(SchemaNames(files, outputs), "\n".join(lines))
        return
    wanted = name if name.endswith(".json") else f"{name}.json"
    found = _OUTPUT + wanted if _OUTPUT + wanted in names else wanted
    if found not in names:
        hint = did_you_mean(wanted, names).replace(".json", "")
        raise MisuseError(f"no schema has the name “{name}”{hint}; `adjudicator schema` lists them all")
    ui.send(text_of(found).encode())


def new_ruleset(
    ui: Ui,
    name: Annotated[str, argument(..., "NAME", "the id of the game, such as `my-game`")],
    folder: str | None = option(None, "-o", "--output", "DIR", "the new folder; default: NAME", show_default=False),
) -> None:
    """Write a package to begin a ruleset of your own.

    The game is Last Match under your name. It is small, can be played and keeps all laws of games: change it into yours step
    by step. The page docs/own-ruleset.md explains all of its code.

    Examples:
      adjudicator new-ruleset my-game
      pip install ./my-game
      adjudicator simulate my-game --games 5
      pytest my-game
    """
    target = Path(folder or name)
    files, place = write_ruleset(name, target), quote(str(target))
    lines = [f"{target}: a game to begin with", *(f"  {file}" for file in files)]
    lines += [
        f"Next: pip install pytest -e {place}; pytest {place}",
        f"Play: adjudicator new {name} --seat ann --seat bob -o game.json",
        f"      adjudicator apply game.json {place}/turn-1.txt",
    ]
    ui.show(NewRuleset(id=name, folder=str(target), files=files), "\n".join(lines))
