"""The events of cards and tiles, until all orders import ``events``."""

from adjudicator.games.great_race.events import *  # noqa: F403
