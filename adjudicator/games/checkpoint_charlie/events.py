"""What happens in Checkpoint Charlie, in the past tense. Each event carries its outcome and the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal, get_args

from annotated_types import Ge, Le

from adjudicator.core.event import Spent
from adjudicator.core.ids import Name, Seat
from adjudicator.games.checkpoint_charlie.components import Colour, Face, MarkerId, SuspectId, Trait
from adjudicator.games.checkpoint_charlie.state import Answer, Ending, Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDrawn:
    """Chance gave the first player of the game."""

    seat: Seat
    rule: Name = "CC-S1"
    kind: Literal["first-drawn"] = "first-drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundBegun:
    """All cards and counters went back, and the next round began with ``first``."""

    round: Annotated[int, Ge(1), Le(5)]
    first: Seat
    rule: Name = "CC-S1"
    kind: Literal["round-begun"] = "round-begun"


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterDrawn:
    """A seat drew a clue counter; ``trait`` is ``None`` to the others."""

    seat: Seat
    trait: Trait | None
    rule: Name = "CC-S2"
    kind: Literal["counter-drawn"] = "counter-drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueChosen:
    """A seat laid its clue counter; ``face`` is ``None`` to the others, unless the Stasi officer watches (CC-O1)."""

    seat: Seat
    face: Face | None
    is_open: bool
    rule: Name = "CC-S2"
    kind: Literal["clue-chosen"] = "clue-chosen"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckReady:
    """All clues are laid: cards are turned from now on."""

    rule: Name = "CC-S3"
    kind: Literal["deck-ready"] = "deck-ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectTurned:
    """A seat turned a suspect: into its row, or onto its pile of the innocent."""

    seat: Seat
    suspect: SuspectId
    is_match: bool
    rule: Name = "CC-V1"
    kind: Literal["suspect-turned"] = "suspect-turned"


@dataclass(frozen=True, slots=True, kw_only=True)
class InvestigatorTurned:
    """A seat turned an investigator card and tossed a counter of the bag: ``face`` is a public clue."""

    seat: Seat
    card: Name
    face: Face
    rule: Name = "CC-V2"
    kind: Literal["investigator-turned"] = "investigator-turned"


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowOpened:
    """Everybody without an accusation may accuse or wait."""

    number: Annotated[int, Ge(1)]
    rule: Name = "CC-P1"
    kind: Literal["window-opened"] = "window-opened"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A seat answered in a window, sealed: ``answer`` is ``None`` to the others."""

    seat: Seat
    answer: Answer | None
    rule: Name = "CC-P1"
    kind: Literal["answered"] = "answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accused:
    """A seat made its accusation, as the ``place``-th of the round; for good."""

    seat: Seat
    suspect: SuspectId
    place: Annotated[int, Ge(1), Le(5)]
    rule: Name = "CC-A1"
    kind: Literal["accused"] = "accused"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRejected:
    """A seat accused whom ``by`` had accused just before: it is without an accusation still."""

    seat: Seat
    suspect: SuspectId
    by: Seat
    rule: Name = "CC-P1"
    kind: Literal["claim-rejected"] = "claim-rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVoid:
    """A seat accused after all but one had: the round was over by then."""

    seat: Seat
    suspect: SuspectId
    rule: Name = "CC-P1"
    kind: Literal["claim-void"] = "claim-void"


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowClosed:
    """Everybody has answered: the cards go on."""

    rule: Name = "CC-P1"
    kind: Literal["window-closed"] = "window-closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckEmptied:
    """The last card was turned: all who have not accused must, one after the other."""

    rule: Name = "CC-A2"
    kind: Literal["deck-emptied"] = "deck-emptied"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded:
    """All have accused, or all but ``late``."""

    late: Seat | None
    rule: Name = "CC-A2"
    kind: Literal["round-ended"] = "round-ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClueRevealed:
    """A seat showed its secret clue."""

    seat: Seat
    face: Face
    rule: Name = "CC-K1"
    kind: Literal["clue-revealed"] = "clue-revealed"


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterTossed:
    """A counter left in the bag was tossed for scoring."""

    face: Face
    rule: Name = "CC-K1"
    kind: Literal["counter-tossed"] = "counter-tossed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChiefNamed:
    """The suspect who matches all five clues; ``is_shown`` unless it lies in the deck still."""

    suspect: SuspectId
    is_shown: bool
    rule: Name = "CC-K1"
    kind: Literal["chief-named"] = "chief-named"


@dataclass(frozen=True, slots=True, kw_only=True)
class AccusationJudged:
    """The accusation of a seat was judged: the clues its suspect matches, and the colour that is due for them.

    Who did not accuse has no ``suspect``.
    """

    seat: Seat
    suspect: SuspectId | None
    matched: tuple[Face, ...]
    colour: Colour
    rule: Name = "CC-K2"
    kind: Literal["accusation-judged"] = "accusation-judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerDrawn:
    """A seat drew a score marker; ``marker`` is ``None`` to the others."""

    seat: Seat
    colour: Colour
    marker: MarkerId | None
    rule: Name = "CC-K2"
    kind: Literal["marker-drawn"] = "marker-drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerMissed:
    """No marker of the colour due was left for a seat."""

    seat: Seat
    colour: Colour
    rule: Name = "CC-K3"
    kind: Literal["marker-missed"] = "marker-missed"


@dataclass(frozen=True, slots=True, kw_only=True)
class StasiShown:
    """A seat drew the Stasi marker and showed it."""

    seat: Seat
    marker: MarkerId
    rule: Name = "CC-O1"
    kind: Literal["stasi-shown"] = "stasi-shown"


@dataclass(frozen=True, slots=True, kw_only=True)
class StasiReturned:
    """The Stasi marker went back to the pool; the seat plays the next round with its clue open."""

    seat: Seat
    marker: MarkerId
    rule: Name = "CC-O1"
    kind: Literal["stasi-returned"] = "stasi-returned"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndDeclared:
    """No round follows: for a reason that all can see, or because somebody announced ten points."""

    reason: Ending
    rule: Name = "CC-E1"
    kind: Literal["end-declared"] = "end-declared"


@dataclass(frozen=True, slots=True, kw_only=True)
class HearingOpened:
    """Seats that, for all that is known, may have something to say are asked at once."""

    seats: tuple[Seat, ...]
    rule: Name
    kind: Literal["hearing-opened"] = "hearing-opened"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A seat spoke in a scoring phase, sealed: ``statement`` is ``None`` to the others."""

    seat: Seat
    statement: Statement | None
    rule: Name
    kind: Literal["stated"] = "stated"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsAnnounced:
    """A seat announced ten points or more, which were verified."""

    seat: Seat
    rule: Name = "CC-E1"
    kind: Literal["points-announced"] = "points-announced"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkersSwapped:
    """A seat gave its Café Adler marker for one of ``other``; both markers are ``None`` to all but the two."""

    seat: Seat
    other: Seat
    colour: Colour
    given: MarkerId | None
    taken: MarkerId | None
    rule: Name = "CC-O2"
    kind: Literal["markers-swapped"] = "markers-swapped"


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapVoid:
    """The Café Adler marker a seat meant to give had been taken in exchange just before."""

    seat: Seat
    colour: Colour
    rule: Name = "CC-O2"
    kind: Literal["swap-void"] = "swap-void"


@dataclass(frozen=True, slots=True, kw_only=True)
class HearingClosed:
    """Everybody asked has spoken."""

    rule: Name
    kind: Literal["hearing-closed"] = "hearing-closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnded:
    """All markers were turned over; ``winners`` have the most points, or of those the most gold."""

    winners: tuple[Seat, ...]
    rule: Name = "CC-E1"
    kind: Literal["game-ended"] = "game-ended"


Event = (
    FirstDrawn
    | RoundBegun
    | CounterDrawn
    | ClueChosen
    | DeckReady
    | SuspectTurned
    | InvestigatorTurned
    | WindowOpened
    | Answered
    | Accused
    | ClaimRejected
    | ClaimVoid
    | WindowClosed
    | DeckEmptied
    | RoundEnded
    | ClueRevealed
    | CounterTossed
    | ChiefNamed
    | AccusationJudged
    | MarkerDrawn
    | MarkerMissed
    | StasiShown
    | StasiReturned
    | EndDeclared
    | HearingOpened
    | Stated
    | PointsAnnounced
    | MarkersSwapped
    | SwapVoid
    | HearingClosed
    | GameEnded
    | Spent
)
"""Every event of this game, the shared ones included."""

EVENTS: Final = get_args(Event)
"""The kinds of ``Event``, for the codec."""
