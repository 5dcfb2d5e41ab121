"""Drive rallies in tests: maps drawn in letters, games on them, and amendments in a few words."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

import adjudicator as adj

ROWS = Path(__file__).parent.parent / "rules" / "rally-round" / "rows.json"
"""The component set of the scenarios."""
PLAIN = ("D1", "N1", "E1", "S1", "A1", "B1")
KINDS = ("driver", "navigator", "equipment", "start", "accel", "decel")
SIGNS = {
    "b": ("bend", None), "h": ("bridge", None), "q": ("quiet-zone", None), "f": ("ford", None), "!": ("hazard", None),
    "r": ("rough", None), "#": ("chequered", None), ">": ("gradient", "E"), "<": ("gradient", "W"), "}": ("steep", "E"),
    "{": ("steep", "W"), "g": ("give-way", "E"), "G": ("give-way", "W"),
}  # fmt: skip
COLOURS = {"r": "red", "o": "orange", "y": "yellow", "w": "white"}


def effect(does: str, *mph: int, turns: int = 0) -> dict[str, Any]:
    """Return an effect of a card, with one mph or one for each of red, yellow, white."""
    return {
        "does": does,
        "turns": turns,
        **dict(zip(("red", "yellow", "white"), mph * (3 // len(mph or (0,))), strict=False)),
    }


def hazard(name: str, *effects: dict[str, Any]) -> dict[str, Any]:
    """Return a hazard card."""
    return {"id": name, "name": f"Card {name}", "effects": effects}


def plain_kit(*special: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a card of each kind, D1 to B1, that changes nothing for a crew alone; the driver has ``special`` effects."""
    nothing = [effect("unovertaken")]
    return [
        {"id": card, "kind": kind, "name": f"Plain {kind}", "effects": (special if card == "D1" else ()) or nothing}
        for card, kind in zip(PLAIN, KINDS, strict=True)
    ]


def drawn(
    main: str,
    colours: str = "",
    *,
    lanes: Iterable[str] = (),
    tracks: Iterable[str] = (),
    hazards: Iterable[dict[str, Any]] = (),
    kit: Iterable[dict[str, Any]] = (),
    controls: str = "",
    timing: str = "road",
    black_spots: str = "",
) -> dict[str, Any]:
    """Return a component set: a road from A1 to the east in signs, yellow ``lanes``, and a rally to its end."""
    squares: dict[str, dict[str, Any]] = {}
    for x, (sign, colour) in enumerate(zip(main, colours or "r" * len(main), strict=True), 1):
        feature, toward = SIGNS.get(sign, (None, None))
        name = f"{chr(64 + x)}1"
        squares[name] = {"id": name, "x": x, "y": 1, "colour": COLOURS[colour], "feature": feature, "toward": toward}
    roads = [{"name": "Main Road", "squares": [*squares]}]
    for number, lane in enumerate(lanes, 1):
        for name in lane.split():
            square = {"id": name, "x": ord(name[0]) - 64, "y": int(name[1:]), "colour": "yellow"}
            squares.setdefault(name, square)
        roads.append({"name": f"Lane {number}", "squares": lane.split()})
    marked = rally(controls or f"A1 {chr(64 + len(main))}1:W:{timing}", black_spots)
    hidden = [{"id": f"HT{n}", "name": f"Path {n}", "ends": ends.split()} for n, ends in enumerate(tracks, 1)]
    return {
        "id": "drawn", "version": 1, "name": "Drawn", "note": "", "squares": [*squares.values()], "roads": roads,
        "tracks": hidden, "hazards": [*hazards], "kit": [*kit] or plain_kit(), "rallies": [marked],
    }  # fmt: skip


def rally(controls: str, black_spots: str = "") -> dict[str, Any]:
    """Return a marked map: `A1 F1:W M1:W:regularity:24`."""
    return {"id": "drawn", "name": "Drawn", "controls": as_controls(controls), "black_spots": black_spots.split()}


def as_controls(text: str) -> list[dict[str, Any]]:
    """Return controls by their squares, sides, sections and speeds."""
    made = []
    for word in text.replace(",", " ").split():
        one: dict[str, Any] = dict(zip(("square", "side", "section", "speed"), word.split(":"), strict=False))
        made.append({name: int(value) if name == "speed" else value for name, value in one.items() if value})
    return made


def begin(
    folder: Path, components: dict[str, Any] | Path | None, seats: str = "red", *, position: Any = None, **choices: Any
) -> adj.Game:
    """Begin a game with a component set and a position that are written to ``folder``; options as ``illegal_speed=…``."""
    more = {name: choices.pop(name) for name in ("version", "seed", "recorded") if name in choices}
    options = {name.replace("_", "-"): value for name, value in choices.items()}
    files = {}
    for name, value in (("components", components), ("position", position)):
        if isinstance(value, dict):
            path = folder / f"{name}.json"
            path.write_text(json.dumps(value), "utf-8")
            files[name] = str(path)
        elif value is not None:
            files[name] = str(value)
    return adj.new("rally-round", seats.split(), options=options, **{"seed": 7, **more}, **files)


def told(error: adj.AdjudicatorError) -> list[str]:
    """Return all problems of a refused set-up or amendment, each with its rule."""
    return [f"{one.message} ({one.rule})" for one in error.problems]


# Games -----------------------------------------------------------------------------------------------------------------


def section(folder: Path, main: str, *, crew: dict[str, Any] | None = None, options: Any = None, **more: Any) -> adj.Game:
    """Begin a drawn section, with a plain kit or with the ``crew`` on its way."""
    made = drawn(main, **more)
    position = {"rally": made["rallies"][0], "seats": [{"seat": "red", "kit": PLAIN, **(crew or {})}]}
    return begin(folder, made, position=position, **(options or {}))


def events(game: adj.Game) -> list[dict[str, Any]]:
    """Return all events in the file of the game."""
    return [event for link in json.loads(game.to_bytes())["journal"] for event in link["entry"]["events"]]


def crew_of(game: adj.Game, seat: str = "red") -> dict[str, Any]:
    crews = json.loads(game.to_bytes())["state"]["crews"]
    return next(one for one in crews if one["seat"] == seat)


def state_of(game: adj.Game) -> dict[str, Any]:
    """Return the state in the file of the game."""
    found: dict[str, Any] = json.loads(game.to_bytes())["state"]
    return found


def require_sums(game: adj.Game) -> None:
    """Raise ``AssertionError`` unless times and marks add up to the last second."""
    spent, faults, since, turns = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    ended = 0
    for event in events(game):
        seat = event.get("seat", "")
        match event["kind"]:
            case "spent":
                assert event["before"] == spent[seat]
                assert event["after"] - event["before"] == sum(part["amount"] for part in event["why"])
                spent[seat], since[seat] = event["after"], since[seat] + event["after"] - event["before"]
            case "faulted":
                faults[seat] += 1
            case "driven" | "turned-round" | "turn-lost":
                turns[seat] += 1
            case "turns-missed":
                turns[seat] += event["turns"]
            case "section-ended":
                ended += 1
                assert 60 * (turns.pop(seat) - 1) < event["time"]
                late = event["time"] - event["target"]
                cost = since.pop(seat, 0) - 1800 * faults.pop(seat, 0)
                by_time = {"TC": late if late > 0 else -2 * late, "RT": abs(late)}
                assert cost == by_time.get(event["control"][:2], max(late, 0))
    assert ended
    for crew in json.loads(game.to_bytes())["state"]["crews"]:
        assert crew["penalty"] == spent[crew["seat"]]


def require_room(game: adj.Game) -> None:
    """Raise ``AssertionError`` if two cars stand on a square that is no control, at a table.

    Cars off the road are nowhere; two that went off at one square drive on from there, as soon as they can (RR-H4).
    """
    if game.options["mode"] != "table":
        return
    at: dict[str, str] = {}
    off: set[str] = set()
    controls: set[str] = set()
    looked = 0
    for link in json.loads(game.to_bytes())["journal"]:
        for event in link["entry"]["events"]:
            seat = event.get("seat", "")
            match event["kind"]:
                case "start-chosen" | "finish-chosen" | "control-placed":
                    controls.add(event["square"])
                case "driven" | "rolled" if event["squares"]:
                    at[seat] = event["squares"][-1]
                    off.discard(seat)
                case "left-road":
                    off.add(seat)
                case "disqualified":
                    at.pop(seat)
                case "part-ended":
                    at, off = {}, set()
        cars = Counter(square for seat, square in at.items() if seat not in off)
        assert not [square for square, many in cars.items() if many > 1 and square not in controls]
        looked += len(cars)
    assert looked


# Positions and amendments in a few words ---------------------------------------------------------------------------------

LISTS = ("trail", "kit", "held", "returned", "faulted", "order", "queue", "black_spots", "speeds", "totals", "squares")
NUMBERS = ("speeds", "totals", "squares")
STATE = ("order", "finish", "controls", "black_spots", "queue", "minute", "part", "squares", "own", "announced")
SECTIONS = {
    "FIRST": ((10, 20, 30, 30, 30), 300, 60),  # the 12 squares to TC3 in 5 minutes, 1 minute late
    "FAULT": ((10, 20, 30, 30, 30), 300, 1860),  # with a fault of 30 marks
    "INTIME": ((10, 20, 30, 40, 30), 300, 60),  # the 13 squares to TC4 in their 5 minutes
    "EARLY": ((20, 30, 40, 40), 240, 180),  # in 4, which costs 2 more
}


def changed(position: dict[str, Any], changes: str) -> dict[str, Any]:
    """Return a position with other fields of the crew red, of blue (`blue.speed=…`), or of all (`minute=…`, `.held=…`)."""
    made: dict[str, Any] = json.loads(json.dumps(position))
    for word in changes.split():
        name, _, value = word.partition("=")
        holder, dot, field = name.rpartition(".")
        whole = field in STATE or (dot and not holder)
        crew = next(one for one in made["seats"] if one["seat"] == (holder or "red"))
        (made if whole else crew)[field] = _value(field, value)
    return made


def amended(game: adj.Game, changes: str) -> adj.Game:
    """Amend a game, with the same words."""
    assignments = []
    for word in changes.split():
        name, _, value = word.partition("=")
        holder, _, field = name.rpartition(".")
        crew = "" if field in STATE else f"crews[{holder or 'red'}]."
        assignments.append(f"{crew}{field}={json.dumps(_value(field, value))}")
    return game.amend(assignments, "a test")


def _value(field: str, text: str) -> Any:
    if text == "none":
        return [] if field in (*LISTS, "controls", "lines") else None
    if field in LISTS:
        return [int(one) if field in NUMBERS else one for one in text.split(",")]
    if field == "controls":
        return as_controls(text)
    if field == "lines":
        return [_line(one) for one in text.split(";")]
    if field == "announced":
        given = dict(one.split(":") for one in text.split(","))
        return {name: int(one) if name == "speed" else one for name, one in given.items()}
    try:
        return json.loads(text)
    except ValueError:
        return text


def _line(text: str) -> dict[str, Any]:
    """Read `FIRST`, or `10,20,30:180:0`: speeds, time and penalty."""
    speeds, time, penalty = SECTIONS.get(text) or text.split(":")
    mph = [int(one) for one in speeds.split(",")] if isinstance(speeds, str) else list(speeds)
    return {"speeds": mph, "time": int(time), "penalty": int(penalty)}


def rows(text: str) -> list[Any]:
    """Return the rows of a table: the changes, and the flaws that they must be refused for (none: they are possible)."""
    found = []
    for line in re.sub(r"\n +", " ", text.strip()).splitlines():
        changes, *flaws = (part.strip() for part in line.split("|"))
        found.append(pytest.param(changes, flaws, id=changes))
    return found


def require(flaws: list[str], make: Callable[[], adj.Game]) -> None:
    """Check that a position or an amendment is taken, or refused for exactly these ``flaws``."""
    flaws = [flaw for flaw in flaws if flaw]
    if not flaws:
        assert make().record.ruleset.version
        return
    with pytest.raises(adj.SetupError) as refused:
        make()
    assert told(refused.value) == flaws


def flaws_of(folder: Path, components: dict[str, Any], seats: str = "red", **choices: Any) -> list[str]:
    """Return what is wrong with a component set or with what is chosen of it."""
    try:
        begin(folder, components, seats, **choices)
    except adj.SetupError as refused:
        return told(refused)
    return []


def table_position(**fields: Any) -> dict[str, Any]:
    crews = {"red": (PLAIN, "A1 B1 C1"), "blue": (("D4", "N2", "E2", "S2", "A2", "B2"), "A1 B1 C1 D1 E1")}
    seats = [
        {"seat": seat, "kit": kit, "trail": trail.split(), "speed": 20, "speeds": [20]}
        for seat, (kit, trail) in crews.items()
    ]
    controls = as_controls("A1 M1:W:road Z1:W:road")
    more = {"order": ["red", "blue"], "finish": "Z1", "controls": controls, "minute": 9, "queue": ["red", "blue"]}
    return {"seats": seats, **more, **fields}


# Time sheets -------------------------------------------------------------------------------------------------------------

ROUTE = "route\nTC2 12\nPC3 (5)\nPC4 (9)\nTC5 13\nRTC6 16 25mph"


def sheet_cases(file: Path) -> list[tuple[str, list[str]]]:
    """Return the cases of a file of time sheets: the text, and the lines that are said of it."""
    cases: list[tuple[str, list[str]]] = []
    body: list[str] = []
    for line in file.read_text("utf-8").splitlines():
        text, arrow, sections = line.partition("=> ")
        if not line or line.startswith("# "):
            continue
        if arrow or (line.startswith("! ") and body):
            said = re.split(r" (?=[>~] )", sections, maxsplit=1) if arrow else [line]
            cases.append(("\n".join([*body, *([text] if arrow and text else ())]), said))
            body = []
        elif line.startswith(("> ", "~ ", "! ")):
            cases[-1][1].append(line)
        else:
            body.append(line)
    assert not body, body
    return [(text.strip(" ").replace(" // ", "\n"), said) for text, said in cases]


def said_of(run: Callable[..., Any], text: str) -> list[str]:
    """Score the sheets of a case in the present folder; return what is said of them, as the file writes it."""
    first, _, rest = text.partition("\n")
    options: list[str] = []
    if first.startswith("on "):
        words = first.split()[1:]
        named = dict(word.split("=") for word in words if word.startswith(("controls=", "timing=", "tracks=", "lanes=")))
        more: dict[str, Any] = {
            name: [value.replace("-", " ")] if name[-1] == "s" else value for name, value in named.items()
        }
        more |= {"controls": named["controls"]} if "controls" in named else {}
        pack = (hazard("H1", effect("miss", turns=2)), hazard("H2", effect("accelerate", 30)))
        Path("map.json").write_text(json.dumps(drawn(*words[: len(words) - len(named)], hazards=pack, **more)), "utf-8")
        text, options = rest, ["--map", "map.json"]
    kit = f"kit {' '.join(PLAIN)}"
    lines = ({"K": kit, "R": ROUTE}.get(line, line) for line in text.split("\n"))
    Path("ann.txt").write_text("\n".join((*lines, "")), "utf-8")
    found = json.loads(run("rally-round", "sheet", "score", "ann.txt", "--json", *options).stdout)
    heads, said = [], []
    for sheet in found["sheets"]:
        spent = (f"{one['control']} {' '.join(clock(one[it]) for it in ('time', 'penalty', 'fault_penalty'))}"
                 for one in sheet["sections"])  # fmt: skip
        crew = f"{sheet['crew']}: " if len(found["sheets"]) > 1 else ""
        heads.append(crew + ", ".join(spent) + (f"; {sheet['out']}" if sheet["out"] else ""))
        met = [f"{one['control']} {one['turn']} {one['message']} {one['rule']}" for one in sheet["incidents"]]
        said += [f"~ {'; '.join(met)}"] if met else []
        said += [f"> {one['verdict']} {_placed(one)}: {one['control']}: {one['message']}" for one in sheet["findings"]]
    said += [f"! {one['code']} {_placed({**one, 'suggestions': one['suggestions'][:3]})}" for one in found["problems"]]
    return [" | ".join(heads), *said] if heads else said


def _placed(one: dict[str, Any]) -> str:
    words = one["text"][one["column"] - 1 :][: one["width"]] if one["column"] else ""
    instead = f" -> {' / '.join(one['suggestions'])}" if one["suggestions"] else ""
    return f"{one['rule']} {one['line'] or ''}“{words}”{instead}".strip()


def clock(seconds: int) -> str:
    """Return a time as sheets have it."""
    return f"{seconds // 60}:{seconds % 60:02}"


def kept(file: dict[str, Any]) -> dict[str, str]:
    """Return the time sheet of each crew of a game file, as the crew would have kept it."""
    kits: dict[str, list[str]] = {}
    rows: dict[str, list[str]] = {}
    speeds: dict[str, list[str]] = {}
    used: dict[str, str] = {}
    for link in file["journal"]:
        entry = link["entry"]
        via = "".join(
            re.findall(r" via .*?(?= via | using | ahead| behind|$)", (entry.get("written") or entry["order"]).lower())
        )
        for event in entry["events"]:
            seat, line = event.get("seat", ""), speeds.setdefault(event.get("seat", ""), [])
            match event["kind"]:
                case "card-picked":
                    kits.setdefault(seat, []).append(event["card"])
                case "card-used":
                    used[seat] = f" using {event['card']}"
                case "driven":
                    line.append(f"{event['speed']}{via}{used.pop(seat, '')}")
                    via = ""
                case "turns-missed":
                    line += ["0"] * event["turns"]
                    line[-event["turns"]] += used.pop(seat, "")
                case "turned-round":
                    line.append("turn")
                case "section-ended":
                    rows.setdefault(seat, []).append(f"{event['control']}: {' '.join(line)}")
                    speeds[seat] = []
    return {seat: "\n".join((f"kit {' '.join(kits[seat])}", *rows.get(seat, ()), "")) for seat in kits}


def town(size: int, streets: Any = None) -> tuple[dict[str, Any], list[tuple[str, str]]]:
    """Return a map of crossroads, A1 in the north-west, with all its ``streets`` or some, and these."""
    names = {(x, y): f"{chr(64 + x)}{y}" for x in range(1, size + 1) for y in range(1, size + 1)}
    pairs = [(name, names[at]) for (x, y), name in names.items() for at in ((x + 1, y), (x, y + 1)) if at in names]
    lines = [[names[x, y] for x in range(1, size + 1)] for y in range(1, size + 1)]
    lines += [[names[x, y] for y in range(1, size + 1)] for x in range(1, size + 1)]
    pairs = pairs if streets is None else streets
    linked = {name for pair in pairs for name in pair}
    squares = [{"id": name, "x": x, "y": y, "colour": "red"} for (x, y), name in names.items() if name in linked]
    roads = [{"name": f"Street {n}", "squares": pair} for n, pair in enumerate(lines if streets is None else pairs)]
    return {**drawn("." * 13), "squares": squares, "roads": roads, "rallies": []}, pairs


def ways_of(pairs: Any, start: str, goal: str, barred: Any = ()) -> list[tuple[str, ...]]:
    """Return all shortest ways, looking one square ahead after the other."""
    ways = [(start,)]
    while ways and not any(way[-1] == goal for way in ways):
        ways = [(*way, other) for way in ways for pair in pairs if way[-1] in pair for other in {*pair} - {*way, *barred}]
    return [way for way in ways if way[-1] == goal]
