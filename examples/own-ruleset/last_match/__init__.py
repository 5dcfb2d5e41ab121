"""Last Match: take one to three matches in turn. Whoever takes the last one has lost."""

from adjudicator import game

META = game.GameMeta(
    id="last-match",
    name="Last Match",
    version=1,
    prefix="LM",
    players=(2, 4),
    unit=game.Unit("m", "matches", "taken"),
    ruleset="last_match:LastMatch",
)
MOST = 3


class Components(game.Value):
    """The heap."""

    id: game.Name
    version: game.Positive
    matches: game.Annotated[int, game.Meta(ge=1, le=99)]


class Pile(game.Value):
    """The matches that a seat has taken."""

    seat: game.Seat
    matches: game.Count = 0


class State(game.State[Pile]):
    """Everything that changes: the matches left, who is next, and what each has taken."""

    own_in, account = "piles", "matches"

    left: game.Annotated[int, game.Meta(ge=0, le=99)]
    due: game.Seat
    piles: tuple[Pile, ...]


class MatchesTaken(game.Event):
    """A seat took ``count`` matches; the next is due."""

    says = "{seat} takes {count} and leaves {left}"
    seat: game.Seat
    count: game.Positive
    left: game.Count
    rule: game.Name = "LM-1"

    def apply(self, config, state):
        following = config.after(self.seat)
        return game.replace(state, left=self.left, due=following)


class Take(game.Order):
    """Take ``count`` matches."""

    examples = ("TAKE 2",)
    count: int

    def check(self, at):
        most = min(MOST, at.state.left)
        if 1 <= self.count <= most:
            return None
        words = f"1 to {most} matches can be taken, not {self.count}"
        return META.problem("wrong-number", words, "LM-1", "count", (f"TAKE {most}",))

    @classmethod
    def offers(cls, at):
        return map(cls, range(1, MOST + 1))

    def cost(self, at):
        return (game.Part(self.count, "matches taken", "LM-1"),)

    def decide(self, at, chance):
        before, why = at.own.matches, self.cost(at)
        yield MatchesTaken(seat=at.seat, count=self.count, left=at.state.left - self.count)
        yield game.Spent(seat=at.seat, before=before, after=before + game.total(why), why=why)


def heap(left):
    """Draw the matches: a click on one takes it and all to its right, and its id is their number."""
    scenes, matches = game.scenes, []
    for at in range(left):
        stick = scenes.rect(4, 60, 0, 10, fill="#d9b382"), scenes.circle(2, 8, 5, fill="#b3261e")
        matches.append(scenes.group(stick, 16 * at + 12, 4, id=str(left - at)))
    frame = scenes.Frame(8 * left + 10, 40, 16 * left + 10, 76)
    return scenes.Scene(
        id="heap",
        title="Matches",
        parts=(scenes.group(matches, name="the heap", frame=frame, holds=left),),
        width=16 * left + 20,
        height=80,
        text=("| " * left or "none",),
        told=f"{left} matches are left",
    )


TAKING = game.Ask(
    kind="take",
    rule="LM-1",
    words=lambda at: f"TAKE 1 to {min(MOST, at.state.left)} of the matches",
    orders=(Take,),
    refusal=META.problem("take-first", "first take matches", "LM-1"),
)
PHASES = (game.Phase("LM-1", lambda at: at.state.left > 0, lambda at: TAKING.to(at.state.due)),)


class LastMatch(game.Rules):
    """The rules of Last Match."""

    meta, components, state = META, Components, State
    orders, events = (Take,), game.events_of(__name__)
    grammar, phases = "last_match:last_match.lark", PHASES
    not_due = "not-due", "LM-1"
    terms = {"count": game.Term.number("a number such as 2")}
    facts = {
        "matches": game.Fact.of_game("the matches left", lambda at: at.state.left),
        "taken": game.Fact.of_seat("the matches taken; `taken of SEAT`", "matches"),
    }

    def begin(self):
        seats = self.config.seats
        return State(self.config.components.matches, seats[0], tuple(map(Pile, seats)))

    def is_over(self, state):
        return state.left == 0

    def standings(self, state):
        over, seats = self.is_over(state), self.config.seats
        loser = seats[seats.index(state.due) - 1] if over else None
        return game.Standing.ranking(
            state.piles,
            key=lambda pile: pile.seat == loser,
            score=lambda pile: pile.matches,
            note=lambda pile: "took the last match" if pile.seat == loser else "wins" if over else "plays",
            is_final=over,
        )

    def draw(self, view):
        return game.drawing.Drawing((heap(view.state.left),))
