# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Decide games again and say whether rules, chance and clock really gave what their files say.

* For programs: ``files.py``.
* One game: ``audit_source.py`` reads it; ``decide.py`` decides each entry again and compares it with the record.
* Many games: ``run.py`` lets a pool of processes audit them, each game with a time limit.
* What was published: ``published_texts.py`` reads it; ``published.py`` compares it with the game file, or decides the game
  again from it alone.
"""

from adjudicator.audit.files import audit_bytes, audit_files, forgery_in, read_published
from adjudicator.audit.published import audit_published
from adjudicator.audit.published_texts import PublishedText
from adjudicator.verdict import AuditResult, Divergence, Skipped
