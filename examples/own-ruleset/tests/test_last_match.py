"""Last Match keeps the laws of every game."""

from last_match import LastMatch

from adjudicator.testing import check_laws


def test_it_keeps_the_laws():
    """No match is ever lost."""
    check_laws(LastMatch, conserved=lambda config, state: state.left + sum(pile.matches for pile in state.piles))
