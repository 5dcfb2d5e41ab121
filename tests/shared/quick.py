"""The files of the quick run (`pytest -m quick`): together they load every module of the package at least once.

Only `desk/persistent.py` is missing: it runs in the browser.
"""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
PATTERNS = (
    "test_architecture.py",
    "test_begin.py",
    "test_docs.py",
    "test_intake.py",
    "test_rulesets.py",
    "test_session.py",
    "archive/test_archive_command.py",
    "audit/test_decide.py",
    "audit/test_kinds.py",
    "cli/test_apply.py",
    "cli/test_corrections.py",
    "cli/test_heads.py",
    "cli/test_help.py",
    "cli/test_json.py",
    "cli/test_pending.py",
    "club/test_backup.py",
    "club/test_letters.py",
    "cluster/test_audit_on_cluster.py",
    "cluster/test_tars.py",
    "core/test_conditions.py",
    "core/test_engine.py",
    "core/test_journal.py",
    "core/test_rules.py",
    "core/test_timeline.py",
    "core/test_words.py",
    "corrections/test_correct.py",
    "desk/test_requests.py",
    "examples/test_examples.py",
    "files/test_lock.py",
    "files/test_save.py",
    "files/test_typed.py",
    "games/*/test_facts.py",
    "games/rally_round/office/test_route_command.py",
    "games/rally_round/office/test_sheet_command.py",
    "mail/test_mailboxes.py",
    "moderate/test_*.py",
    "orders/test_explain.py",
    "replay/test_replay.py",
    "reports/drawings/test_changes.py",
    "reports/test_snapshots.py",
    "reports/pages/test_report_page.py",
    "rulebook/test_*.py",
    "scenes/test_letters.py",
    "script/test_audited.py",
    "script/test_script.py",
    "store/test_entrants.py",
    "store/test_reading.py",
    "store/test_round_trip.py",
    "testing/test_laws.py",
)
FILES = frozenset(path for pattern in PATTERNS for path in TESTS.glob(pattern))
