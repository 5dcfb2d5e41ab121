"""Last Match: take one to three matches in turn. Whoever takes the last one has lost."""

from adjudicator import game

UNIT = game.Unit("m", "matches", "taken")
META = game.GameMeta(
    id="last-match", name="Last Match", version=1, prefix="LM", players=(2, 4), unit=UNIT, ruleset="last_match:LastMatch"
)


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
        return game.replace(state, left=self.left, due=config.after(self.seat))


class Take(game.Order):
    """Take ``count`` matches."""

    examples = ("TAKE 2",)
    count: int

    def check(self, at):
        most = min(3, at.state.left)
        words = f"1 to {most} matches can be taken, not {self.count}"
        wrong = META.problem("wrong-number", words, "LM-1", "count", (f"TAKE {most}",))
        return None if 1 <= self.count <= most else wrong

    @classmethod
    def offers(cls, at):
        return map(cls, (1, 2, 3))

    def cost(self, at):
        return (game.Part(self.count, "matches taken", "LM-1"),)

    def decide(self, at, chance):
        before, after = at.own.matches, at.own.matches + self.count
        yield MatchesTaken(seat=at.seat, count=self.count, left=at.state.left - self.count)
        yield game.Spent(seat=at.seat, before=before, after=after, why=self.cost(at))


def heap(left):
    """Draw the matches: a click on one takes it and all to its right, and its id is their number."""
    sticks = [(game.scenes.rect(4, 60, 16 * at, 10, fill="#b3261e"),) for at in range(left)]
    parts = tuple(game.scenes.group(stick, id=str(left - at)) for at, stick in enumerate(sticks))
    text, told = ("| " * left or "none",), f"{left} matches are left"
    return game.scenes.Scene("heap", "Matches", parts, width=16 * left + 20, height=80, text=text, told=told)


FIRST = META.problem("take-first", "first take matches", "LM-1")
TAKING = game.Ask(kind="take", rule="LM-1", words="TAKE 1 to 3 of the matches", orders=(Take,), refusal=FIRST)


class LastMatch(game.Rules):
    """The rules of Last Match."""

    meta, components, state, orders, events = META, Components, State, (Take,), game.events_of(__name__)
    phases = (game.Phase("LM-1", lambda at: at.state.left > 0, lambda at: TAKING.to(at.state.due)),)
    not_due = "not-due", "LM-1"
    grammar = "last_match:last_match.lark"
    terms = {"count": game.Term.number("a number such as 2")}
    facts = {"matches": game.Fact.of_game("the matches left", lambda at: at.state.left)}

    def begin(self):
        seats = self.config.seats
        return State(left=self.config.components.matches, due=seats[0], piles=tuple(map(Pile, seats)))

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
