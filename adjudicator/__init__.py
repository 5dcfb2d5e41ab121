"""Play-by-email adjudicator: written orders in, the new position and the log of minutes out."""

__version__ = "0.1.0"
