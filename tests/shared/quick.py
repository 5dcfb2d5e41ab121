"""The files of the quick run (`pytest -m quick`): together they load every module of the package at least once.

`tests/commands/test_release.py` proves it (soak). Only `desk/rpds.py` is missing: it runs in the browser.
"""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parents[1]
PATTERNS = (
    "test_architecture.py",
    "audit/test_decide.py",
    "audit/test_kinds.py",
    "cli/test_turns.py",
    "cli/test_corrections.py",
    "cli/test_heads.py",
    "cli/test_help.py",
    "cli/test_json.py",
    "cli/test_pending.py",
    "club/test_promises.py",
    "cluster/test_audit.py",
    "cluster/test_tars.py",
    "core/test_conditions.py",
    "core/test_engine.py",
    "core/test_journal.py",
    "core/test_rules.py",
    "core/test_timeline.py",
    "core/test_words.py",
    "commands/test_answers.py",
    "commands/test_begin.py",
    "commands/test_docs.py",
    "commands/test_every_command.py",
    "commands/test_examples.py",
    "corrections/test_correct.py",
    "pages/test_desk.py",
    "pages/test_letter_widths.py",
    "pages/test_pictures.py",
    "pages/test_reports.py",
    "pages/test_rules.py",
    "pages/test_site.py",
    "examples/test_examples.py",
    "files/test_lock.py",
    "files/test_save.py",
    "games/*/test_facts.py",
    "rules/test_rally_round_office.py",
    "mail/test_mailboxes.py",
    "orders/test_explain.py",
    "replay/test_replay.py",
    "script/test_audited.py",
    "script/test_script.py",
    "sources/test_archive_command.py",
)
LONG = {
    "test_a_damaged_manifest_only_costs_time",
    "test_a_worker_that_is_killed_costs_nothing",
    "test_all_laws_in_one_call",
    "test_everything_that_is_broken_is_told_at_once",
    "test_everybody_can_use_the_pages",
    "test_it_gives_the_same_as_a_program_of_its_own",
    "test_long_lists_have_parts_and_no_page_is_large",
    "test_the_feed_has_finished_games",
    "test_those_who_stand_in_are_asked_once",
    "test_what_is_broken_is_told_with_the_game_its_seed_and_the_entry",
}
"""Tests of these files that take a second or more or a browser, and load no module that the others do not."""
FILES = frozenset(path for pattern in PATTERNS for path in TESTS.glob(pattern))
