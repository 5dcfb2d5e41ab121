# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Decide games again and say whether rules, chance and clock really gave what their files say.

* One game: ``audit_source.py`` reads it (``recorded_orders.py``), ``decide.py`` decides each entry again and compares
  it with the record (``compare.py``).
* Many games: ``run.py`` lets a pool of processes audit them, each game with a time limit.
* Players check their logs: ``published_logs.py`` reads logs, ``published_setup.py`` sets the game up, ``published.py``
  decides it.
* Moderators compare publications with a game file: ``published_texts.py`` reads them, ``compare_published.py``
  compares.
"""

from adjudicator.audit.files import audit_bytes, audit_files, forgery_in, read_published
from adjudicator.audit.published_setup import CannotCheckError, NotPromisedError
from adjudicator.audit.published_texts import PublishedText
from adjudicator.audit.verify_logs import verify_logs
from adjudicator.verdict import AuditResult, Divergence, Skipped
