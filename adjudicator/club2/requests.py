"""What each mail command does. The pattern, the limit and the lines of HELP stand above each function."""

from __future__ import annotations
