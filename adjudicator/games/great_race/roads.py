"""The ways of a board, until all import ``config``."""

from adjudicator.games.great_race.config import *  # noqa: F403
