"""Play a script: each turn is one adjudication, which must accept its lines in the order of the script."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import islice
from typing import Any

from adjudicator.core.at import Here
from adjudicator.core.engine import Outcome, adjudicate
from adjudicator.core.journal import Entry
from adjudicator.core.order import Sheet
from adjudicator.core.problem import MOST_PROBLEMS, Diagnostic, Problem
from adjudicator.core.remember import remember_last
from adjudicator.core.rules import AnyRules, AnyRuleset, changed
from adjudicator.core.step import committed_chance, validate_expression
from adjudicator.core.values import Seat, Value, replace
from adjudicator.library.errors import RequestError
from adjudicator.library.game import Game
from adjudicator.orders.clean import clean
from adjudicator.orders.locate import locate
from adjudicator.reports.data.diagnostics import order_problem
from adjudicator.results import Decision, OrderProblem
from adjudicator.script.corrections import apply_correction, is_absence
from adjudicator.script.minutes import clock_differences, disagreements
from adjudicator.script.parts import BadLineError, Block, Line, Script, bad_turn
from adjudicator.script.read import is_script, read_script
from adjudicator.script.setup import BadSetupError, set_up
from adjudicator.verdict import Divergence


class ScriptResult(Value):
    """The result of a script: the game up to the turn of the first problem, its lines with their entries, all problems.

    ``game`` is ``None`` if the set-up fails. The game ends before the turn of the first of the ``diagnostics``.
    """

    script: Script
    game: Game | None
    accepted: tuple[tuple[Line, Entry], ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def problems(self) -> tuple[OrderProblem, ...]:
        """The mistakes in the script, each with its ``code``, ``message``, ``line`` and ``column``."""
        return tuple(map(order_problem, self.diagnostics))

    @property
    def divergences(self) -> tuple[Divergence, ...]:
        """The written minutes and results that the rules contradict."""
        if self.game is None:
            return ()
        return tuple(disagreements(self.game, self.accepted, () if self.diagnostics else self.script.claims))


def play_script(
    text: str | bytes,
    *,
    name: str = "script",
    folder: str | None = None,
    notify: Callable[[], object] = lambda: None,
) -> ScriptResult:
    """Play the whole game in ``text``, a script, and return the result: mistakes in it are values, not errors.

    Messages call the script ``name``. It can name files in ``folder`` (``None``: no files). Each adjudication calls
    ``notify``. Raises ``RequestError`` if ``text`` is no script.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if not is_script(data):
        raise RequestError(f"name a script: the first line of {name} does not begin with `script`")
    script = read_script(name, data)
    game = None
    diagnostics = list(script.diagnostics)
    first = script.blocks[0].line if script.blocks else None
    if script.rules is not None and not any(first is None or 0 < one.line < first for one in diagnostics):
        try:
            game = set_up(script, folder)
        except BadSetupError as error:
            diagnostics.extend(error.diagnostics)
    if game is not None:
        diagnostics.extend(_first_impossible(script, game))
    if game is None or diagnostics:
        # Those of the whole script, such as the number left out, come last.
        placed = sorted(diagnostics, key=lambda one: (not one.line, one.line, one.column))
        return ScriptResult(script, game, (), tuple(placed))
    accepted: list[tuple[Line, Entry]] = []
    for block in script.blocks:
        notify()
        due = game.record.turn
        is_refused = block.correction and not is_absence(block.correction)
        # Only skipped orders and absences may repeat the number of the last turn.
        if block.turn != due and (is_refused or block.turn != due - 1):
            return ScriptResult(script, game, tuple(accepted), (block.located(script.source, bad_turn(due)),))
        if block.correction:
            try:
                game = apply_correction(game, script.source, block.correction, takes_number=block.turn == due)
            except BadLineError as error:
                return ScriptResult(script, game, tuple(accepted), (error.diagnostic,))
            continue
        outcome = _play_block(game, block)
        if outcome is None:
            return ScriptResult(script, game, tuple(accepted), _first_problems(game, block, accepted))
        entries = _entries(outcome)
        if block.turn != due and any(not entry.is_skipped for entry in entries.values()):
            return ScriptResult(script, game, tuple(accepted), (block.located(script.source, bad_turn(due)),))
        accepted += zip(block.lines, entries.values(), strict=True)
        game = game.with_record(outcome.record)
    return ScriptResult(script, game, tuple(accepted), ())


def _first_impossible(script: Script, game: Game) -> list[Diagnostic]:
    """Return problems of the first orders that are illegal in every position, and one that says there are more."""
    impossible = (
        _placed(game.rules, Diagnostic(problem, line.seat, said.line, order, text=said.text, source=script.source), line)
        for block in script.blocks
        for line in block.lines
        for said in (line.instruction,)
        for order, problem in validate_expression(game.rules, said.expression)
    )
    found = list(islice(impossible, MOST_PROBLEMS + 1))
    if len(found) > MOST_PROBLEMS:
        message = f"more than {MOST_PROBLEMS} orders are illegal in every position: correct these {MOST_PROBLEMS} first"
        found[MOST_PROBLEMS:] = [Diagnostic(Problem("orders/too-many-problems", message), source=script.source)]
    return found


def _play_block(game: Game, block: Block) -> Outcome | None:
    """Adjudicate ``block``; return ``None`` unless its lines are accepted in their order.

    Changed answers come before all else: each of the first lines may change one, of another seat. Later lines of seats that
    have answered, too, were sent ahead.
    """
    changing: list[Seat] = []
    for line in (*block.lines, None):
        outcome = _adjudicate(game, block.lines, changing, block.turn)
        if not outcome.diagnostics and list(_entries(outcome)) == [one.instruction.line for one in block.lines]:
            return outcome
        if line is None or line.seat in changing or not game.rules.has_answered(game.record.state, line.seat):
            return None
        changing.append(line.seat)
    return None


def _adjudicate(game: Game, lines: Sequence[Line], changing: Collection[Seat] = (), turn: int | None = None) -> Outcome:
    """Adjudicate ``lines``, each as one step, even if its order has several: those have separate lines.

    The first line of a seat that is ``changing`` its answer replaces its previous answer.
    """

    def answering(state: Any, seat: Seat) -> Here | None:
        return game.rules.answering(state, seat) if seat in changing else None

    rules = _line_by_line(game.rules)
    if changing:
        rules = changed(rules, answering=answering)
    seats = dict.fromkeys(line.seat for line in lines)
    sheets = [Sheet(seat, tuple(line.instruction for line in lines if line.seat == seat)) for seat in seats]
    drawn = game.record.journal[-1].entry.drawn
    chance = committed_chance(game.record, drawn, game.timeline.past.words_sent)
    return adjudicate(rules, game.record, sheets, turn=turn, chance=chance)


@remember_last  # each adjudication finds what the one before has found
def _line_by_line(rules: AnyRuleset) -> AnyRuleset:
    """Return ``rules`` in which every order has one step, and no seat may change its answer."""
    return changed(rules, rest=lambda _at, _order: None, answering=lambda _state, _seat: None)


def _entries(outcome: Outcome) -> dict[int, Entry]:
    """Return the entry of each accepted line by its number, in the order of acceptance."""
    return {item.line: link.entry for item, link in zip(outcome.instructions, outcome.accepted, strict=True)}


def _first_problems(game: Game, block: Block, accepted: Sequence[tuple[Line, Entry]]) -> tuple[Diagnostic, ...]:
    """Return the problems of the first line of ``block`` not accepted in its order; ``accepted`` are the lines before it."""
    past = list(accepted)
    at = game
    for line in block.lines:
        due = Decision.due_in(game.rules, at.record.state)
        outcome = _adjudicate(at, [line])
        if outcome.diagnostics:
            return tuple(_placed(game.rules, diagnostic, line) for diagnostic in outcome.diagnostics)
        if not outcome.accepted:
            asked = "; ".join(f"{decision.seat}: {decision.ask}" for decision in due)
            because = clock_differences(at, past, [decision.seat for decision in due], line.seat)
            return (_not_due(line, f"{line.seat} is not due here. What is due: {asked or 'nothing'}{because}"),)
        past.append((line, outcome.accepted[0].entry))
        at = at.with_record(outcome.record)
    entries = _entries(_adjudicate(game, block.lines))
    order = ((number, entry.seat) for number, entry in entries.items())
    line, first = next(
        (line, seat) for line, (number, seat) in zip(block.lines, order, strict=False) if line.instruction.line != number
    )
    return (_not_due(line, f"several seats are due here, and the order of {first} comes first: move it up"),)


def _not_due(line: Line, message: str) -> Diagnostic:
    words = clean(line.text)
    start = len(words) - len(words.lstrip())
    where = Diagnostic(Problem("script/not-due", message), line.seat, line.instruction.line, source=line.instruction.source)
    return where.at(start + 1, len(words) - start, line.text)


def _placed(rules: AnyRules, diagnostic: Diagnostic, line: Line) -> Diagnostic:
    """Return ``diagnostic`` with its place in the line as written."""
    return replace(locate(rules, (diagnostic,))[0], text=line.text)
