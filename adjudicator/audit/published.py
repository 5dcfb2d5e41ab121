"""Compare what was published during a game with its file, or decide the game again from it and the secret of chance.

With the secret, somebody can write a whole new game that an audit verifies. But the players keep the published texts: the
heads fix the journal, and the rows of a log say what its reader knew of each entry.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, Final

from adjudicator.audit.decide import canonical_word, fault, order_reader
from adjudicator.audit.published_texts import HASHES, PublishedText, Row, players_part
from adjudicator.core.chance import WORD, WordSent, proof_maker
from adjudicator.core.journal import Entry
from adjudicator.core.problem import AdjudicatorError, SetupError
from adjudicator.core.step import RefusedError, Taken, committed_chance, go_on, redecide
from adjudicator.core.timeline import is_hidden, redact_entry
from adjudicator.core.values import MODERATOR, Viewer, added_later, defaults_of, json_value, replace
from adjudicator.files import typed
from adjudicator.files.errors import Untrusted
from adjudicator.library.begin import GameChoices, empty_game
from adjudicator.library.game import Game
from adjudicator.library.reader import Reader, beginning_of
from adjudicator.reports.log import log_rows
from adjudicator.reports.texts import count_of
from adjudicator.resources import MissingResource
from adjudicator.results import Begun, LogRow
from adjudicator.rulesets import ruleset
from adjudicator.store.game_file import reference, shipped
from adjudicator.store.other_files import load_components, load_position
from adjudicator.verdict import NOT_DECIDED, ComparedText, ComparedTexts, Divergence, Kind, Verdict, revised, verdict

Place = tuple[int, int]
"""The number of an entry for a reader, and which of the orders skipped after it (0: the entry itself)."""
Logs = Callable[[Viewer], Mapping[Place, Sequence[Row]]]
"""The log of a game for each viewer, as rows of JSON by their place."""
_LATER: Final = ("undone_by", "note", "comment")
"""The fields that a row may get later: an entry may be undone, and readers learn the notes when the game is over."""
_ELSEWHERE: Final = ("n", "skipped", "commitment", "begun", *_LATER)
"""The fields of a row that are its place, or that are compared in another way."""
_FIELDS: Final[Mapping[str, Any]] = {
    name: json_value(defaults_of(LogRow)[name]) if name in added_later(LogRow) else None
    for name in LogRow.__struct_fields__
    if name not in _ELSEWHERE
}
"""The compared fields of a row, with the values that rows leave out."""
_DECIDED: Final[Mapping[str, Any]] = dict.fromkeys(("seat", "order", "min", "before", "after", "why", "told"))
"""The fields of a row that can be decided again without the game file."""
_UNDECIDED: Final = ("turn", "written", "notes", "undone_by")
_CORRECTIONS: Final = ("SEAT", "NMR", "HOLIDAY")
"""The corrections that name a seat and leave the position as it is."""
_SECRET: Final = re.compile("the secret of chance is ([0-9a-f]{64})(?![0-9a-f])")
_UNDO: Final = re.compile("UNDO to ([0-9]{1,9})", re.ASCII)
_SHORT: Final = 16
_LONGEST: Final = 400
"""The number of characters of a value that a message quotes."""
_MOST_GAPS: Final = 20
"""The number of missing entries that a verdict lists."""


class _Comparison:
    """Compare ``texts`` with ``game``: with what it began with at once, with its ``logs`` for each viewer on demand.

    ``right_is`` says where the right values are from. ``found`` are the contradictions, and ``missing`` is what each text
    does not say.
    """

    def __init__(self, game: Game, texts: Sequence[PublishedText], logs: Logs, right_is: str) -> None:
        self.texts, self.logs, self._right_is = texts, cache(logs), right_is
        self.viewers: list[Viewer] = [None, *game.seats, MODERATOR]
        self.found: list[Divergence] = []
        self.missing = {text.name: dict[str, None]() for text in texts}
        record, begun = game.record, json_value(beginning_of(game))
        said = {"commitment": game.commitment, "promise": record.promise, "game": record.id, "beginning": record.beginning}
        for text in texts:
            for what, right in said.items():
                for other in text.said[what]:
                    if other != right:
                        self.contradict(text.name, f"the published {what} is {other}, but {right_is} {right or 'none'}")
            for published in text.begun:
                self.missing[text.name].update({f"begun.{name}": None for name in sorted(published.keys() ^ begun.keys())})
                for name in sorted(published.keys() & begun.keys()):
                    if words := self._otherwise(name, published[name], begun[name]):
                        self.contradict(text.name, f"the beginning of the game: {words}")

    def contradict(self, name: str, words: str, n: int | None = None, entry: Entry | None = None) -> None:
        """Add what is wrong in the text ``name``, in ``words``, about ``entry``, which has the number ``n`` there."""
        seat, order = ("", "") if entry is None else (entry.seat or "", entry.order)
        self.found.append(Divergence(Kind.PUBLISHED, n, seat, order, name, recomputed=words, sentence=True))

    @property
    def first(self) -> Divergence | None:
        """The first contradiction in the order of the game."""
        return min(self.found, key=lambda one: -1 if one.n is None else one.n, default=None)

    def wrong_place(
        self, name: str, published: Mapping[Place, Sequence[Row]], places: Iterable[Place], fields: Mapping[str, Any]
    ) -> tuple[Place, Viewer, str] | None:
        """Return the first of ``places`` where the ``published`` log is that of no viewer, and the difference as text.

        The viewer is one whose log agrees with all earlier places: the first who is left.
        """
        left = self.viewers
        for place in places:
            there, still, first = published.get(place, []), list[Viewer](), ""
            for viewer in left:
                words = self._difference(there, self.logs(viewer).get(place, []), fields, self.missing[name])
                first = first or words
                still += [] if words else [viewer]
            if not still:
                return place, left[0], first
            left = still
        return None

    def _difference(
        self, there: Sequence[Row], here: Sequence[Row], fields: Mapping[str, Any], missing: dict[str, None]
    ) -> str:
        """Return the first difference between the published rows of an entry and those of the game, as text."""
        if len(there) != len(here):
            return f"{count_of(len(there), 'line')} about it published, but {self._right_is} {len(here)}"
        for one, right in zip(there, here, strict=True):
            if _words(one) == _words(right):
                continue
            later: dict[str, Any] = dict.fromkeys(name for name in _LATER if name in one)  # once there, they stay
            for field, default in {**fields, **later}.items():
                if words := self._otherwise(field, one.get(field, default), right.get(field, default)):
                    return words
            if "undone_by" in right.keys() - one.keys():
                missing[f"undone_by of entry {right['n']}"] = None
        return ""

    def _otherwise(self, name: str, published: Any, right: Any) -> str:
        """Return the difference of the value ``name`` as text; empty if there is none."""
        texts = _words(published), _words(right)
        told, known = (text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for text in texts)
        return "" if texts[0] == texts[1] else f"{name}: {told} was published, but {self._right_is} {known}"

    def compared(self, last: int | None = None) -> ComparedTexts:
        """Return what of each text was compared, and what not.

        Without the game file nothing proves heads, and entries after the ``last`` one could not be decided.
        """
        found, entries = [], 0
        for text in self.texts:
            parts = [f"heads {_spans(head.n for head in text.heads)}"] if text.heads else []
            rest = list[str]()
            if last is not None:
                parts, rest = [], [f"{words} (name the game file)" for words in parts]
                rest += _UNDECIDED if text.rows else ()
            for run in text.rows:
                places, is_open = _by_place(run), set[int]()
                for (n, _), rows in places.items():
                    number = players_part(rows[0]).get("n")
                    if last is not None and (type(number) is not int or number not in range(last + 1)):
                        is_open.add(n)
                closed = [n for n, _ in places if n not in is_open]
                parts += [f"entries {_spans(closed)}"] if closed else []
                rest += [f"entries {_spans(is_open)}"] if is_open else []
                entries += len(closed)
            said = {**{name: text.said[name] for name in HASHES}, "set-up": text.begun, "game": text.said["game"]}
            parts += [name for name, there in said.items() if there]
            found.append(ComparedText(text.name, tuple(parts), (*self.missing[text.name], *rest, *text.left_out)))
        heads = sum(len(text.heads) for text in self.texts) if last is None else 0
        return ComparedTexts(sum(text.says_something for text in self.texts), heads, entries, tuple(found))


def _by_place(rows: Iterable[Row]) -> dict[Place, list[Row]]:
    found: dict[Place, list[Row]] = {}
    for row in rows:
        skipped = row.get("skipped")
        found.setdefault((row["n"], skipped if type(skipped) is int else 0), []).append(row)
    return found


def _words(value: Any) -> str:
    """Return ``value`` as JSON, which tells 1, 1.0 and true apart."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _spans(numbers: Iterable[int]) -> str:
    """Return ``numbers`` as text, ``0 to 3, 7``."""
    spans = list[list[int]]()
    for n in sorted(set(numbers)):
        if spans and n == spans[-1][-1] + 1:
            spans[-1][1:] = [n]
        else:
            spans.append([n])
    return ", ".join(" to ".join(map(str, span)) for span in spans)


# With the game file ---------------------------------------------------------------------------------------------------


def compare_texts(result: Verdict, game: Game, texts: Sequence[PublishedText]) -> Verdict:
    """Return the verdict ``result`` on ``game`` with its first contradiction of ``texts``."""
    if result.divergence is not None and result.divergence.kind in NOT_DECIDED:
        return result
    journal, numbers, prove = game.record.journal, game.timeline.entry_numbers, proof_maker(game.secret)
    public = [link for link in journal if not link.entry.is_skipped]

    def log(viewer: Viewer) -> Mapping[Place, Sequence[Row]]:
        return _by_place(json_value(row) for row in Reader(game, viewer).rows(journal))

    def contradict(text: PublishedText, n: int, words: str) -> None:
        comparison.contradict(text.name, words, n, journal[n].entry if n < len(journal) else None)

    def beyond(text: PublishedText, n: int, last: int) -> None:
        contradict(text, len(journal), f"entry {n} was published, but the game file ends with entry {last}")

    comparison = _Comparison(game, texts, log, "the game file has")
    for text in texts:
        for run in text.rows:
            published, fields = _by_place(run), dict(_FIELDS)
            if not any("proof" in row for row in run):
                comparison.missing[text.name]["proofs of its entries"] = None
                del fields["proof"]
            between = {
                place
                for viewer in comparison.viewers
                for place in comparison.logs(viewer)
                if min(published) < place < max(published)
            }
            wrong = comparison.wrong_place(text.name, published, sorted(published.keys() | between), fields)
            if wrong is not None:
                place, viewer, words = wrong
                shown = (link.entry.n for link in journal if not is_hidden(link.entry, viewer))
                known = {(numbers.number(n, viewer), numbers.skipped(n) or 0): n for n in shown}
                if place in known or place[0] <= max(known)[0]:
                    contradict(text, known.get(place, place[0]), words)
                else:
                    beyond(text, place[0], max(known)[0])
        for head in sorted(text.heads, key=lambda head: head.n):
            if head.n >= len(public):
                beyond(text, head.n, len(public) - 1)
                break
            right = prove(public[head.n])
            if right is None or not right.startswith(head.proof):
                words = f"the published head {head.n} is {head.proof[:_SHORT]}…, but the game file has "
                words += f"{f'{right[:_SHORT]}…' if right else 'none'}: somebody has changed this entry or an earlier one"
                contradict(text, public[head.n].entry.n, words)
                break
    result, divergence = revised(result, against=comparison.compared()), comparison.first
    if divergence is None:
        return result
    if result.divergence is None:
        return revised(result, divergence=divergence)
    return revised(result, further=(*result.further, divergence))


# Without the game file ------------------------------------------------------------------------------------------------


def audit_published(
    texts: Sequence[PublishedText],
    reveal: str | None = None,
    components: str | None = None,
    position: str | None = None,
    notify: Callable[[], object] = lambda: None,
) -> Verdict:
    """Return the verdict on a game from its ``texts`` and the secret of chance alone.

    ``reveal`` is the secret (``None``: a log contains it), ``components`` and ``position`` are the files of the game's own
    component set and first position. The game is decided again from its beginning, each entry with its
    order in the logs, and each log is compared with the one that its reader should have. The verdict is of the kind
    ``PARTIAL`` if the logs do not tell enough to decide all of it. Each entry calls ``notify``.

    Raises ``AdjudicatorError`` if something is missing, ``SetupError``, ``FileProblem``.
    """
    game = _beginning(texts, reveal, components, position)
    again, partial = _Again(game), ""
    comparison = _Comparison(game, texts, again.log, "the secret and the rules give")
    logs = [(text.name, _by_place(filter(None, map(_known_row, run)))) for text in texts for run in text.rows]
    told = sorted({0, *(n for _, log in logs for n, _ in log)})
    for n in told if not comparison.found else ():
        notify()
        try:
            again.decide(n, [log[n, 0][0] for _, log in logs if (n, 0) in log])
        except _EndError as end:
            if end.is_untold:
                partial = f"entries {n} to {told[-1]}: {end}" if n < told[-1] else f"entry {n}: {end}"
            else:
                name = next((name for name, log in logs if (n, 0) in log), "the beginning")
                comparison.contradict(name, str(end), n)
            break
        except SetupError:
            raise
        except Exception as error:  # a bug of the rules: the texts may be fine
            return again.verdict(texts, replace(fault(error, game.rules.meta.id), n=n))
    for name, log in logs:
        places = sorted(place for place in log if place[0] in again.entries)
        wrong = comparison.wrong_place(name, log, places, _DECIDED)
        if wrong is not None:
            (n, _), _, words = wrong
            comparison.contradict(name, words, n, again.entries[n])
    listed = set(told)
    gaps = tuple(islice((n for n in range(told[-1]) if n not in listed), _MOST_GAPS))
    divergence = comparison.first
    until = None if divergence is None else divergence.n
    if divergence is not None and until is not None and gaps and gaps[0] < until:
        # A missing log can have the same effect as cheating.
        partial = f"entry {until} ({divergence.field}): {divergence.recomputed}"
        partial += f"; the cause may be entry {gaps[0]}, which no log contains"
        divergence = None
    if divergence is None and partial:
        divergence = Divergence(Kind.PARTIAL, recomputed=partial, sentence=True)
    result = again.verdict(texts, divergence, until)
    rest = [] if any(text.said["commitment"] for text in texts) else [f"commitment {game.commitment} (in no text)"]
    hidden = 0
    for place, rows in comparison.logs(MODERATOR).items():
        whole = {words for row in rows for words in row["told"]}
        hidden += not any(
            whole <= {words for row in log.get(place, ()) for words in map(str, row["told"])} for _, log in logs
        )
    rest += [f"parts of {count_of(hidden, 'entry', 'entries')} (all others follow from them)"] if hidden else []
    rest += [f"entries {_spans(gaps)}{' …' if len(gaps) == _MOST_GAPS else ''} (in no log)"] if gaps else []
    together = ComparedText("all together", (f"{result.entries} of {count_of(len(told), 'entry', 'entries')}",), tuple(rest))
    compared = comparison.compared(max(again.entries, default=-1))
    return revised(result, against=replace(compared, details=(*compared.details, together)))


def _known_row(row: Row) -> Row | None:
    """Return what of ``row`` can be decided again, in the numbers of the players; ``None`` for a skipped order."""
    public = players_part(row)
    n, order = public.get("n"), public.get("order")
    if row.get("skipped") is not None or type(n) is not int or n < 0:
        return None
    told = row["told"] if isinstance(row["told"], list) else [row["told"]]
    # A correction begins with the moderator's reason, which cannot be computed.
    told = told[1:] if row["seat"] == MODERATOR and row["order"] else told
    order = order if isinstance(order, str) else row["order"]
    return {**{name: row[name] for name in _DECIDED}, "n": n, "order": order, "told": told, "written": row.get("written")}


def _beginning(texts: Sequence[PublishedText], reveal: str | None, components: str | None, position: str | None) -> Game:
    """Return the game of ``texts`` with its secret and no entry yet."""
    first = next(((text.name, begun) for text in texts for begun in text.begun), None)
    if first is None:
        words = "name the game file first, or give a log as JSON with its first line: no text tells how the game was begun"
        raise AdjudicatorError(words)
    rows = (row for text in texts for run in text.rows for row in run if row["order"] == "REVEAL")
    sentences = (str(words) for row in rows if isinstance(row["told"], list) for words in row["told"])
    told = (match[1] for words in sentences if (match := _SECRET.match(words)))
    secret = reveal.lower() if reveal is not None else next(told, None)
    if secret is None:
        raise AdjudicatorError(
            "give the secret of chance with `reveal`, once the moderator has published it: no log contains it"
        )
    if not re.fullmatch("[0-9a-f]{64}", secret):
        raise AdjudicatorError(f"write the secret of chance (`reveal`) as 64 digits 0–9 and a–f, not “{reveal}”")
    try:
        begun: Begun = typed.convert(Begun, first[1])
    except typed.Misfit as error:
        raise Untrusted(first[0], [error.violation], "this log cannot be read") from None
    rules: Any = ruleset(begun.ruleset)
    if begun.position and position is None:
        raise AdjudicatorError("give the file of the first position (setup): the game began from one, which no log tells")
    if components is None:
        try:
            built = shipped(rules, begun.components, begun.components_version)[0]
        except MissingResource:
            words = f"give the file of the component set “{begun.components}” (components), which is the game's own"
            raise AdjudicatorError(words) from None
    else:
        built = load_components(components, rules)
    if reference(built).hash != begun.components_hash:
        raise AdjudicatorError(f"the component set “{built.id}” is not the one that the logs name")
    choices = GameChoices(
        ruleset=begun.ruleset,
        id=begun.game,
        players=begun.players,
        components=built,
        options=begun.options,
        position=load_position(position, rules) if begun.position and position else None,
        secret=secret,
        entropy=begun.words,
        version=begun.version,
        is_promised=begun.promise is not None,
    )
    return empty_game(choices)


class _EndError(Exception):
    """End the decisions at an entry: no game can have it, or it ``is_untold`` by these logs; the message says why."""

    def __init__(self, words: str, *, is_untold: bool = False) -> None:
        super().__init__(words)
        self.is_untold = is_untold


class _Again:
    """The ``entries`` that were decided again, by the players' numbers, each with the state after it.

    Entries that no log contains are left out, since a log may contain any number.
    """

    def __init__(self, game: Game) -> None:
        self.game, self.read = game, order_reader(game.rules)
        self.entries: dict[int, Entry] = {}
        self.states: dict[int, Any] = {}
        self._words: list[WordSent] = []

    def log(self, viewer: Viewer) -> dict[Place, list[Row]]:
        """Return the log of the entries for ``viewer``, as far as it can be decided again."""
        rules = self.game.rules
        shown = (redact_entry(rules, entry, viewer) for entry in self.entries.values())
        return _by_place(json_value(row) for row in log_rows(rules, shown))

    def verdict(self, texts: Iterable[PublishedText], divergence: Divergence | None, until: int | None = None) -> Verdict:
        """Return the verdict on the entries, those before ``until``."""
        record, names = self.game.record, " ".join(text.name for text in texts)
        entries = [entry for n, entry in self.entries.items() if until is None or n < until]
        over = bool(entries) and self.game.rules.is_over(self.states[entries[-1].n])
        return verdict(names, divergence, game=record.id, ruleset=record.ruleset.id, entries=entries, over=over)

    def decide(self, n: int, rows: Sequence[Row]) -> None:
        """Decide entry ``n`` again with its order in ``rows``, the first about it in each log. Raises ``_EndError``."""
        seat, order = (rows[0]["seat"], rows[0]["order"]) if n else (None, "")
        if any((row["seat"], row["order"]) != (seat, order) for row in rows if n):
            raise _EndError("the logs do not agree on who did what")
        if n and seat not in (*self.game.seats, MODERATOR):
            raise _EndError(f"no seat “{seat}” plays in this game")
        text = next((row["written"] for row in rows if n and isinstance(row["written"], str)), order)
        last = next(reversed(self.entries), 0)
        taken = self._corrected(n, order, last) if seat == MODERATOR else self._ordered(n, seat, text, order, last)
        self.states[n] = taken.state
        self.entries[n] = taken.entry(n, 0, seat)

    def _corrected(self, n: int, order: str, last: int) -> Taken:
        """Return a correction: its own change comes from the moderator, and its consequences are computed."""
        what, _, seat = order.partition(" ")
        if what == "UNDO":
            number = _UNDO.fullmatch(order)
            if number is None or int(number[1]) >= n - 1:
                raise _EndError(f"“{order}” is not possible here")
            known = list(self.entries)
            last = known[bisect_right(known, int(number[1])) - 1]
        elif order == "AMEND":
            words = "the moderator has changed the position, and a log shows only the part that its reader may see"
            raise _EndError(words, is_untold=True)
        elif order != "REVEAL" and what not in _CORRECTIONS:
            raise _EndError(f"“{order}” is not a correction")
        elif order != "REVEAL" and seat not in self.game.seats:
            raise _EndError(f"no seat “{seat}” plays in this game")
        chance = committed_chance(self.game.record, self.entries[last].drawn, self._words)
        assert chance is not None  # a game with recorded chance has no secret
        return replace(go_on(self.game.rules, self.states[last], chance), order=order)

    def _ordered(self, n: int, seat: Any, text: str, order: str, last: int) -> Taken:
        """Return what the rules make of ``text``, the order of ``seat`` as far as the logs show it (they have ``order``)."""
        rules, events = self.game.rules, tuple[Any, ...]()
        drawn, state = (self.entries[last].drawn, self.states[last]) if n else (0, None)
        if order.startswith(f"{WORD} ") and self.read(order) is None:
            text, word = order, order.removeprefix(f"{WORD} ")
            if canonical_word(word) != word:
                raise _EndError(f"“{word}” is not a valid word for chance")
            events = (WordSent(seat=seat, word=word, outcome=max(entry.drawn for entry in self.entries.values())),)
        entry = Entry(n=n, turn=0, seat=seat, order=text, written=None, notes=(), events=events, drawn=0)
        try:
            chance = committed_chance(self.game.record, drawn, self._words)
            taken = redecide(rules, state, entry, entry.outside, chance, drawn, self.read)
        except RefusedError as error:
            if not error.seat_is_due:
                due = sorted(ask.seat for ask in rules.due(state))
                raise _EndError(f"{seat} was not due; due: {' '.join(due) or 'nobody'}") from None
            if not error.refusals:
                words = f"these logs do not show the order of {seat} (“{order}”): add the log of {seat} or of the moderator"
                raise _EndError(words, is_untold=True) from None
            refused, problem = error.refusals[0]
            at = rules.answering(state, seat)
            if text == order and refused is not None and at is not None and rules.public_text(at, refused) is not None:
                words = f"these logs show only a part of the order of {seat} (“{order}”): add the log of {seat}"
                raise _EndError(words, is_untold=True) from None
            raise _EndError(f"“{text}” was not possible: {problem.message}") from None
        self._words += events
        return taken
