"""Run a club of games by mail: fetch and answer mails, keep deadlines, adjudicate turns, send reports.

* Folder and files: ``folder.py``, ``settings.py``; the record: ``ledger.py`` in the file of ``database.py``; copies:
  ``backup.py``.
* A round: ``run.py``; failures: ``failures.py``; the clock: ``clock.py``.
* Mails received: ``intake.py``, ``identify.py``, ``tokens.py``, ``missing_token.py``, ``bounces.py``, ``limits.py``,
  ``commands.py``.
* People who join: ``people.py`` and ``waiting_lists.py`` in the ledger, ``register.py``, ``names.py``, ``writers.py``,
  ``member_requests.py``, ``member_commands.py``, ``new_address.py``, ``addresses.py``, ``offers.py``, ``join_game.py``,
  ``muster.py``, ``begin_game.py``, ``stand_ins.py``.
* Answers: ``answer.py``, ``promise.py`` (which orders count), ``replies.py``, ``requests.py``.
* Turns and deadlines: ``turns.py``, ``deadlines.py``, ``holidays.py``, ``missing.py``, ``pending.py``.
* Messages between players: ``messages.py``, ``message_archive.py`` in the ledger.
* Mails sent: ``letters.py``, ``reports.py``, ``welcome.py``, ``digest.py``, ``post.py``; notices for chat services:
  ``webhooks.py``; pages for the desk: ``pages.py``.
* Public pages: ``public.py``, ``consent.py``; deadlines for calendar programs: ``calendars.py``.
* The standing of players: ``standings.py``, ``game_records.py`` in the ledger.
* The moderator's part: ``manage.py``, ``players.py``, ``members.py``, ``matters.py``, ``change_settings.py``,
  ``moderator_report.py``, ``doctor.py``. What commands return and print: ``results.py``.
"""
