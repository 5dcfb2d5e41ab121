"""Check a club before something fails: settings, servers, offers, tokens, permissions, clock, disk space, backups and desk.

Without ``is_online``, no check asks a server or DNS.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from adjudicator.club.deadlines import duration
from adjudicator.club.failures import Failure, contain
from adjudicator.club.folder import GAMES, LEDGER, SETTINGS, ClubFolder
from adjudicator.club.intake import mailbox_of
from adjudicator.club.join_game import OfferError, offered_game
from adjudicator.club.ledger import Ledger
from adjudicator.club.pages import desk_problem
from adjudicator.club.results import ClubCheckup, ClubFinding
from adjudicator.club.settings import Incoming, Outgoing, server_of
from adjudicator.club.tokens import CLUB, claim_in, tag
from adjudicator.club.webhooks import webhook_flaw, webhook_name
from adjudicator.files.errors import FileProblem
from adjudicator.mail import Security
from adjudicator.mail.envelope import address_flaw
from adjudicator.mail.smtp import Sender

_DAY: Final = 24 * 3600
_CLOCK_ERROR: Final = 300
"""The greatest usual difference between two clocks, in seconds."""
_SILENCE: Final = _DAY + 3600
"""The longest usual time between two rounds: one each day, and the ledger records a round only once an hour."""
_BACKUP_AGE: Final = 7 * _DAY
_LEAST_SPACE: Final = 100_000_000
"""Bytes that the disk must have left; at least twice the size of the ledger, which a backup copies."""
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})

Found = Iterator[tuple[str, str]]
"""The problems that a check has found, each with what to do."""
Check = Callable[[ClubFolder, int], Found]


def check_club(club: ClubFolder, now: int, *, is_online: bool = False) -> ClubCheckup:
    """Return what is wrong with ``club`` at the time ``now``; if ``is_online``, also log in to its servers."""
    checks, findings = {**_CHECKS, **(_ONLINE if is_online else {})}, list[ClubFinding]()
    for name, check in checks.items():

        def add(what: str, advice: str, name: str = name) -> None:
            findings.append(ClubFinding(check=name, what=what, advice=advice))

        def fail(failure: Failure, add: Callable[[str, str], None] = add) -> None:
            add(failure.cause, "correct this, and run `club doctor` again")

        with contain(fail):
            for what, advice in check(club, now):
                add(what, advice)
    return ClubCheckup(checks=tuple(checks), club_findings=tuple(findings))


def _settings(club: ClubFolder, _now: int) -> Found:
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
        yield "trust.authserv_id needs the package `authres`", "run `pip install 'pbem-adjudicator[club]'`"


def _receiving(club: ClubFolder, _now: int) -> Found:
    side = club.settings.incoming
    if side.kind == "imap":
        yield from _login(side)
        if find_spec("imap_tools") is None:
            yield "IMAP needs the package `imap-tools`", "run `pip install 'pbem-adjudicator[club]'`"
        return
    for name in ("new", "cur"):
        folder = club.folder / side.folder / name
        if not folder.is_dir():
            yield f"{folder}: this folder does not exist", f"create it, or correct incoming.folder in {SETTINGS}"
        elif not os.access(folder, os.W_OK | os.X_OK):
            yield f"{folder}: the club cannot move mails in this folder", "let the user who runs the club write there"


def _sending(club: ClubFolder, _now: int) -> Found:
    side = club.settings.outgoing
    if side.kind == "smtp":
        yield from _login(side)
    elif club.settings.incoming.kind == "imap":
        advice = f'set kind = "smtp" and host under [outgoing] in {SETTINGS}'
        yield f"the club fetches mails from a server, but only writes its own into the folder {side.folder}", advice


def _login(side: Incoming | Outgoing) -> Found:
    """Yield what is wrong with the login to a mail server, as far as the settings show it."""
    place = "incoming" if isinstance(side, Incoming) else "outgoing"
    try:
        password = server_of(side).password
    except LookupError as error:
        yield f"{place}: {error}", f"set the password for the user who runs the club, or correct {place}.password"
        return
    if side.user and not password:
        yield f"{place}: the user {side.user} has no password", f"set {place}.password.env or .keyring in {SETTINGS}"
    if password and not side.user:
        yield f"{place}: there is a password, but no user", f"set {place}.user in {SETTINGS}"
    if password and side.security is Security.NONE and side.host not in _LOCAL:
        words = f"{place}: the password goes to {side.host} without encryption"
        yield words, f'set {place}.security = "tls" or "starttls" in {SETTINGS}'


def _webhooks(club: ClubFolder, _now: int) -> Found:
    for number, hook in enumerate(club.settings.webhooks, 1):
        place, flaw = f"webhook {number} ({webhook_name(hook)})", webhook_flaw(hook)
        if not (hook.url.env or hook.url.keyring):
            yield f"{place}: it has no address", f"set url.env or url.keyring of this webhook in {SETTINGS}"
        elif flaw:
            yield f"{place}: {flaw}", "set it to the address that the chat service shows, for the user who runs the club"
        for game in hook.games:
            if game not in club.games:
                yield f"{place}: the club has no game {game}", f"correct games of this webhook in {SETTINGS}"


def _people(club: ClubFolder, _now: int) -> Found:
    """Yield house rules that cannot be read, times that are too short, and offers of games that cannot begin."""
    own = club.settings.people
    if own.open and not own.join:
        yield "the club offers games, but people cannot join", f"set people.join = true in {SETTINGS}"
    if own.rules and not club.house_rules():
        yield f"people.rules: {club.folder / own.rules} has no house rules that can be read", "write them there, as UTF-8"
    times = {"people.confirm": own.confirm}
    times |= {f"people.open: {one.ruleset}: deadline": one.deadline for one in own.open if one.deadline}
    for place, words in times.items():
        if not duration(words):
            yield f"{place}: “{words}” leaves no time", f"correct it in {SETTINGS}"
    known = set[str]()
    for one in own.open:
        place, advice = f"people.open: {one.ruleset}", f"correct it under [[people.open]] in {SETTINGS}"
        if one.ruleset in known:
            yield f"{place}: the club offers only one next game of a ruleset", advice
        known.add(one.ruleset)
        try:
            offered_game(one)
        except OfferError as error:
            yield f"{place}: {error}", advice


def _tokens(club: ClubFolder, _now: int) -> Found:
    """Yield games whose settings cannot be read, tokens that cannot work, and addresses that cannot be right."""
    known = dict[str, str]()
    for game in club.games:
        file = str(club.path(game, "game.toml"))
        if game == CLUB:
            yield f"{game}: tokens of members have this name, too", "move the game away, and add it with another id"
        try:
            seats = club.settings_of(game).seats
        except FileProblem as error:
            yield str(error), f"correct {file}"
            continue
        for seat, settings in seats.items():
            place, token = f"{game}/{seat}", settings.token.lower()
            if claim_in(tag(game, seat, token)) is None:
                yield f"{place}: no mail can have this token", f"give the seat a new token with `club seat`: {file}"
            elif token in known:
                words = f"{place} has the same token as {known[token]}"
                yield words, "give one of the two seats a new token with `club seat`"
            known.setdefault(token, place)
            for address in settings.addresses:
                if address.casefold() == club.settings.address.casefold():
                    yield f"{place}: “{address}” cannot be the address of a player", f"correct it in {file}"
                elif flaw := address_flaw(address):
                    yield f"{place}: the club cannot write to this player: {flaw}", f"correct it in {file}"


def _permissions(club: ClubFolder, _now: int) -> Found:
    for path in (club.folder, club.folder / GAMES, club.folder / LEDGER, club.folder / SETTINGS):
        if path.exists() and not os.access(path, os.R_OK | os.W_OK):
            yield f"{path}: you cannot write here", "run the commands as the user to whom the club belongs"
    if not hasattr(os, "geteuid"):  # Windows
        return
    if club.folder.stat().st_uid != os.geteuid():
        yield f"{club.folder} belongs to another user", "run all commands as the user to whom the club belongs"
    own = club.folder.resolve()
    mailboxes = (club.folder / club.settings.incoming.folder, club.folder / club.settings.outgoing.folder)
    outside = [path for path in map(Path.resolve, mailboxes) if path.is_dir() and not path.is_relative_to(own)]
    for folder in (club.folder, *outside):
        if stat.S_IMODE(folder.stat().st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
            yield f"{folder}: other users of this machine can open this folder with secrets", f"run `chmod 700 {folder}`"


def _ledger(club: ClubFolder, now: int) -> Found:
    """Yield what the ledger shows: its own damage, a wrong clock, missing rounds, an old backup."""
    try:
        with closing(club.ledger()) as ledger:
            yield from _clock(club, ledger, now)
            yield from _backup(club, ledger, now)
    except FileProblem as error:
        yield str(error), f"if it is damaged, run `adjudicator club restore {club.folder} COPY` with the last backup"


def _clock(club: ClubFolder, ledger: Ledger, now: int) -> Found:
    latest, before = ledger.latest_time(), ledger.clock()
    if latest > now + _CLOCK_ERROR:
        words = f"the clock shows {club.moment(now)}, but the ledger has times up to {club.moment(latest)}"
        yield words, "set the clock of this machine, and let it follow a time server"
    elif before is not None and now - before > _SILENCE and any(row.is_running for row in ledger.games().values()):
        words = f"the last round was about {club.moment(before)}"
        yield words, f"start `adjudicator club run {club.folder}`, or see why cron does not"


def _backup(club: ClubFolder, ledger: Ledger, now: int) -> Found:
    last = ledger.last_change("backup")
    since = last or ledger.first_letter()
    if club.games and since and now - since > _BACKUP_AGE:
        words = f"the last backup is of {club.moment(last)}" if last else "the club has no backup"
        yield words, f"run `adjudicator club backup {club.folder} COPY` with a new folder on another disk, once a week"


def _disk(club: ClubFolder, _now: int) -> Found:
    ledger = club.folder / LEDGER
    wanted = max(_LEAST_SPACE, 2 * ledger.stat().st_size if ledger.exists() else 0)
    free = shutil.disk_usage(club.folder).free
    if free < wanted:
        words = f"{club.folder}: the disk has {free // 1_000_000:,} MB left"
        yield words, f"make room: the club needs {wanted // 1_000_000:,} MB"


def _desk(club: ClubFolder, _now: int) -> Found:
    problem, desk = desk_problem(club), club.settings.desk
    if problem:
        yield problem, f"build the desk, or correct desk.folder in {SETTINGS}"
    elif desk is not None and not os.access(club.folder / desk.folder, os.W_OK | os.X_OK):
        yield (
            f"{desk.folder}: the club cannot write into the folder of the desk",
            "let the user who runs the club write there",
        )


def _log_in(club: ClubFolder, _now: int, *, is_sending: bool) -> Found:
    side = club.settings.outgoing if is_sending else club.settings.incoming
    if side.kind in ("maildir", "folder"):
        return
    advice = "correct host, port, security, user, password or the folders there, or ask the mail provider"
    if isinstance(side, Outgoing):
        with closing(Sender(server_of(side))) as sender:
            said = sender.problem()
        if said:
            yield f"outgoing: {side.host}: {said}", advice
        return
    failures = list[Failure]()
    with contain(failures.append), mailbox_of(club):
        pass
    yield from ((f"incoming: {failure.cause}", advice) for failure in failures)


_CHECKS: Final[dict[str, Check]] = {
    "settings": _settings,
    "receiving": _receiving,
    "sending": _sending,
    "webhooks": _webhooks,
    "people": _people,
    "games": _tokens,
    "permissions": _permissions,
    "ledger": _ledger,
    "disk": _disk,
    "desk": _desk,
}
_ONLINE: Final[dict[str, Check]] = {
    "online-receiving": partial(_log_in, is_sending=False),
    "online-sending": partial(_log_in, is_sending=True),
}
