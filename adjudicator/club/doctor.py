"""Check a club before something fails: settings, servers, offers, addresses, permissions, clock, disk, backups and desk.

Without ``is_online``, no check asks a server or DNS.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from adjudicator.club import ClubError
from adjudicator.club.club import GAMES, Club, open_club, read_settings
from adjudicator.club.db import LEDGER, Failure, contain
from adjudicator.club.lists import next_game
from adjudicator.club.pages import desk_problem
from adjudicator.club.settings import SETTINGS, Incoming, Outgoing, mailbox_of, server_of
from adjudicator.core.phrases import count
from adjudicator.core.values import Value
from adjudicator.files.errors import FileProblem, Untrusted
from adjudicator.mail import Security
from adjudicator.mail.envelope import address_flaw
from adjudicator.mail.smtp import Sender
from adjudicator.reports.texts import GAP

_DAY: Final = 24 * 3600
_CLOCK_ERROR: Final = 300
"""The greatest usual difference between two clocks, in seconds."""
_SILENCE: Final = _DAY + 3600
"""The longest usual time between two rounds: one each day, and the ledger records a round only once an hour."""
_LEAST_SPACE: Final = 100_000_000
"""Bytes that the disk must have left; at least twice the size of the ledger, which a backup copies."""
_AGAIN: Final = "correct this, and run `club doctor` again"
_INSTALL: Final = "run `pip install 'pbem-adjudicator[club]'`"
_SERVER: Final = "correct host, port, security, user, password or the folders there, or ask the mail provider"
_OWNER: Final = "run the commands as the user to whom the club belongs"
_TIMES: Final = (
    "select max(at) from (select clock as at from club union all select max(fetched) from mails"
    " union all select max(written) from letters union all select max(at) from log)"
)
_BACKUP: Final = "select max(at) from log where who = 'moderator' and what = 'backup'"
Found = Iterator[tuple[str, str]]
"""The problems that a check has found, each with what to do."""


class ClubFinding(Value, kw_only=True):
    """A problem that a ``check`` of a club has found: ``what`` it is, and what to do (``advice``)."""

    check: str
    what: str
    advice: str


class ClubCheckup(Value, kw_only=True):
    """The result of the ``checks`` of a club: all ``club_findings``, none if nothing is wrong."""

    checks: tuple[str, ...]
    club_findings: tuple[ClubFinding, ...]


def check(folder: Path, now: int, *, is_online: bool = False) -> ClubCheckup:
    """Return what is wrong with the club in ``folder`` at the time ``now``; if ``is_online``, also log in to its servers."""
    no_ledger: Any = None  # the check of the ledger opens it: it may be damaged
    club = Club(folder, read_settings(folder), no_ledger, now)
    checks, findings = (*_CHECKS, *(_ONLINE if is_online else ())), list[ClubFinding]()
    names = tuple(look.__name__.strip("_").replace("_", "-") for look in checks)
    for name, look in zip(names, checks, strict=True):
        failures = list[Failure]()
        with contain(failures.append):
            for what, advice in look(club):
                findings.append(ClubFinding(check=name, what=what, advice=advice))
        for one in failures:
            findings.append(ClubFinding(check=name, what=one.cause, advice=_AGAIN))
    return ClubCheckup(checks=names, club_findings=tuple(findings))


def checkup_text(checkup: ClubCheckup) -> str:
    """Return ``checkup`` for people: each problem, and below it what to do."""
    if not checkup.club_findings:
        return f"nothing is wrong; checked: {', '.join(checkup.checks)}"
    lines = [f"{count(len(checkup.club_findings), 'problem')}:"]
    for one in checkup.club_findings:
        lines += [f"{one.check}: {one.what}", f"{GAP}→ {one.advice}"]
    return "\n".join(lines)


def _settings(club: Club) -> Found:
    own = club.settings
    for name, address in (("address", own.address), ("moderator", own.moderator)):
        if flaw := address_flaw(address):
            yield f"{name}: {flaw}", f"correct {name} in {SETTINGS}"
    if own.address.casefold() == own.moderator.casefold():
        advice = f"write your own address as moderator in {SETTINGS}"
        yield "the club and the moderator have the same address: the club would answer its own mails", advice
    if own.trust.token == "address" and not own.trust.authserv_id:
        advice = f'set trust.token = "required" or trust.authserv_id in {SETTINGS}'
        yield "mails need neither a token nor a proven sender: anybody can send orders for a player", advice
    if own.trust.authserv_id and find_spec("authres") is None:
        yield "trust.authserv_id needs the package `authres`", _INSTALL


def _receiving(club: Club) -> Found:
    side = club.settings.incoming
    if side.kind == "imap":
        yield from _login(side, "incoming")
        if find_spec("imap_tools") is None:
            yield "IMAP needs the package `imap-tools`", _INSTALL
        return
    for folder in (club.folder / side.folder / name for name in ("new", "cur")):
        if not folder.is_dir():
            yield f"{folder}: this folder does not exist", f"create it, or correct incoming.folder in {SETTINGS}"
        elif not os.access(folder, os.W_OK | os.X_OK):
            yield f"{folder}: the club cannot move mails in this folder", "let the user who runs the club write there"


def _sending(club: Club) -> Found:
    side = club.settings.outgoing
    if side.kind == "smtp":
        yield from _login(side, "outgoing")
    elif club.settings.incoming.kind == "imap":
        advice = f'set kind = "smtp" and host under [outgoing] in {SETTINGS}'
        yield f"the club fetches mails from a server, but only writes its own into the folder {side.folder}", advice


def _login(side: Incoming | Outgoing, place: str) -> Found:
    """Yield problems of the login to a mail server, as far as the settings show them."""
    try:
        password = server_of(side).password
    except LookupError as error:
        yield f"{place}: {error}", f"set the password for the user who runs the club, or correct {place}.password"
        return
    if side.user and not password:
        yield f"{place}: the user {side.user} has no password", f"set {place}.password.env or .keyring in {SETTINGS}"
    if password and not side.user:
        yield f"{place}: there is a password, but no user", f"set {place}.user in {SETTINGS}"
    if password and side.security is Security.NONE and side.host not in ("localhost", "127.0.0.1", "::1"):
        words = f"{place}: the password goes to {side.host} without encryption"
        yield words, f'set {place}.security = "tls" or "starttls" in {SETTINGS}'


def _hook(club: Club) -> Found:
    path = club.folder / club.settings.hook
    if club.settings.hook and not (path.is_file() and os.access(path, os.X_OK)):
        yield f"hook: {path} is not a program that can run", f"correct hook in {SETTINGS}, or run `chmod +x`"


def _people(club: Club) -> Found:
    """Yield house rules that cannot be read, and offers of games that cannot begin."""
    own, known = club.settings.people, set[str]()
    if own.open and not own.join:
        yield "the club offers games, but people cannot join", f"set people.join = true in {SETTINGS}"
    if own.rules and not club.house_rules():
        yield f"people.rules: {club.folder / own.rules} has no house rules that can be read", "write them there, as UTF-8"
    for one in own.open:
        try:
            if one.ruleset in known:
                raise ClubError("the club offers only one next game of a ruleset")
            known.add(one.ruleset)
            next_game(one)
        except ClubError as error:
            yield f"people.open: {one.ruleset}: {error}", f"correct it under [[people.open]] in {SETTINGS}"


def _permissions(club: Club) -> Found:
    for path in (club.folder, club.folder / GAMES, club.folder / LEDGER, club.folder / SETTINGS):
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            yield f"{path}: you cannot write here", _OWNER
    if not hasattr(os, "geteuid"):  # Windows
        return
    if club.folder.stat().st_uid != os.geteuid():
        yield f"{club.folder} belongs to another user", _OWNER
    mailboxes = (club.folder / side.folder for side in (club.settings.incoming, club.settings.outgoing))
    own, outside = club.folder.resolve(), [path.resolve() for path in mailboxes if path.is_dir()]
    for folder in (club.folder, *(path for path in outside if not path.is_relative_to(own))):
        if stat.S_IMODE(folder.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
            yield f"{folder}: other users of this machine can open this folder with secrets", f"run `chmod 700 {folder}`"


def _ledger(club: Club) -> Found:
    """Yield what the ledger shows: damage, missing games, bad addresses, a wrong clock, missing rounds, an old backup."""
    now, moment = club.now, club.moment
    restore = f"run `adjudicator club restore {club.folder} COPY` with the last backup"
    try:
        with open_club(club.folder, now) as opened:
            games, value = opened.games(), opened.db.value
            seats = [(row, one) for row in games for one in opened.seats(row)]
            clock, latest, backup = (value(query) or 0 for query in ("select clock from club", _TIMES, _BACKUP))
            since = backup or value("select min(written) from letters") or now
    except FileProblem as error:
        yield str(error), restore if isinstance(error, Untrusted) else _AGAIN
        return
    for file in (club.file(row) for row in games if row.beginning):  # a list has not written the others yet
        if not file.is_file():
            yield f"{file}: this game file is missing", f"put it back, or {restore}"
    for row, one in seats:
        flaw = f"the club cannot write to this player: {found}" if (found := address_flaw(one.address)) else ""
        if one.has_address(club.settings.address):
            flaw = f"“{club.settings.address}” cannot be the address of a player"
        if flaw:
            advice = f"run `adjudicator club seat {club.folder} {row.name} {one.seat} NAME ADDRESS`"
            yield f"{row.name}/{one.seat}: {flaw}", advice
    if latest > now + _CLOCK_ERROR:
        words = f"the clock shows {moment(now)}, but the ledger has times up to {moment(latest)}"
        yield words, "set the clock of this machine, and let it follow a time server"
    elif clock and now - clock > _SILENCE and any(row.is_running for row in games):
        advice = f"start `adjudicator club run {club.folder}`, or see why cron does not"
        yield f"the last round was about {moment(clock)}", advice
    if games and now - since > 7 * _DAY:
        words = f"the last backup is of {moment(backup)}" if backup else "the club has no backup"
        yield words, f"run `adjudicator club backup {club.folder} COPY` with a new folder on another disk, once a week"


def _disk(club: Club) -> Found:
    ledger = club.folder / LEDGER
    wanted = max(_LEAST_SPACE, 2 * ledger.stat().st_size if ledger.exists() else 0)
    free = shutil.disk_usage(club.folder).free
    if free < wanted:
        words = f"{club.folder}: the disk has {free // 1_000_000:,} MB left"
        yield words, f"make room: the club needs {wanted // 1_000_000:,} MB"


def _desk(club: Club) -> Found:
    problem, desk = desk_problem(club), club.settings.desk
    if problem:
        yield problem, f"build the desk, or correct desk.folder in {SETTINGS}"
    elif desk is not None and not os.access(club.folder / desk.folder, os.W_OK | os.X_OK):
        words = f"{desk.folder}: the club cannot write into the folder of the desk"
        yield words, "let the user who runs the club write there"


def _online_receiving(club: Club) -> Found:
    side, failures = club.settings.incoming, list[Failure]()
    if side.kind == "imap":
        with contain(failures.append), mailbox_of(club.folder, side):
            pass
    yield from ((f"incoming: {failure.cause}", _SERVER) for failure in failures)


def _online_sending(club: Club) -> Found:
    side = club.settings.outgoing
    if side.kind == "smtp":
        with closing(Sender(server_of(side))) as sender:
            if said := sender.problem():
                yield f"outgoing: {side.host}: {said}", _SERVER


_CHECKS: Final = (_settings, _receiving, _sending, _hook, _people, _permissions, _ledger, _disk, _desk)
_ONLINE: Final = (_online_receiving, _online_sending)
