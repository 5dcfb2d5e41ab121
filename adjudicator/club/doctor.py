"""Check a club before something fails: settings, servers, offers, addresses, permissions, clock, disk, backups and desk.

Without ``is_online``, no check asks a server; with it, the club also sends a letter to itself, to see how it arrives.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from adjudicator.club import ClubError
from adjudicator.club.club import GAMES, Club, open_club, read_settings
from adjudicator.club.db import LEDGER, Failure, contain
from adjudicator.club.lists import next_game
from adjudicator.club.mails import results_of
from adjudicator.club.post import failure_in
from adjudicator.club.reports import desk_folder, desk_problem, desk_release
from adjudicator.club.settings import SETTINGS, Incoming, Outgoing, mailbox_of, server_of
from adjudicator.core.phrases import count, listed
from adjudicator.core.values import Value
from adjudicator.files.errors import FileProblem, Untrusted
from adjudicator.mail import Security
from adjudicator.mail.envelope import address_flaw, envelope_of, plain_address, plain_domain
from adjudicator.mail.outgoing import Letter, letter_bytes
from adjudicator.mail.smtp import Fate, Sender
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
LOOKS: Final = 60
"""How often the doctor looks for its letter."""
_PAUSE: Final = 2.0
"""Seconds between two looks."""
_KEPT: Final = "select data from mails where fetched >= ? and instr(data, ?) order by id desc limit 1"
_SERVER_NAME: Final = re.compile(r'\s*"?([^\s;"()]+)')
_TEXT: Final = """\
`club doctor --online` has sent this letter to see whether mail arrives, and deletes it then. The club ignores it.
"""
_METHODS: Final = {"spf": "SPF", "dkim": "DKIM", "dmarc": "DMARC"}
_PROVIDER: Final = "as the provider of your mail server describes"
_FLAWS: Final = {
    ("spf", "none"): (
        "{domain} does not say which servers send its mails",
        f"publish a TXT record of {{domain}} that names them, such as “v=spf1 mx -all”, {_PROVIDER}",
    ),
    ("spf", "fail"): (
        "{domain} does not allow the server that sends the mails of the club ({result})",
        f"add the server to the TXT record of {{domain}} that begins with “v=spf1”, {_PROVIDER}",
    ),
    ("spf", "pass"): (
        "the server sends for {other}, not for {domain}",
        "let it send with the address of the club as the envelope sender, or sign with DKIM",
    ),
    ("dkim", "none"): (
        "the letter has no signature",
        f"let the mail server sign the mails of {{domain}}, and publish its key, {_PROVIDER}",
    ),
    ("dkim", "fail"): (
        "the signature is wrong ({result})",
        "publish the key with which the server signs, and let nothing change a mail after that",
    ),
    ("dkim", "pass"): (
        "the signature is that of {other}, not of {domain}",
        f"let the mail server sign with a key of {{domain}}, {_PROVIDER}",
    ),
    ("dmarc", "none"): (
        "{domain} does not say what to do with forged mails",
        "when SPF or DKIM pass, publish “v=DMARC1; p=none” as the TXT record of _dmarc.{domain}",
    ),
    ("dmarc", "fail"): (
        "neither SPF nor DKIM proves {domain}: many servers refuse such mails, or take them for junk",
        "correct SPF or DKIM: one of them must pass for {domain}",
    ),
    ("dmarc", "pass"): ("the proof is for {other}, not for {domain}", f"write an address of {{other}} in {SETTINGS}"),
    ("", "permerror"): ("the record in DNS has a mistake", "correct the TXT record of {domain}, " + _PROVIDER),
    ("", "temperror"): ("the server could not check it now", "run `club doctor --online` again later"),
}
"""What results other than a proof mean, by method and kind, and what to do."""
Found = Iterator[tuple[str, str]]
"""The problems that a check has found, each with what to do."""


class ClubFinding(Value, kw_only=True):
    """A problem that a ``check`` of a club has found: ``what`` it is, and what to do (``advice``)."""

    check: str
    what: str
    advice: str


class Proof(Value, kw_only=True):
    """What a mail server has found about a letter: the ``finding`` of a ``method`` (`spf`), and its ``domain`` if any."""

    method: str
    finding: str
    domain: str


class OwnLetter(Value, kw_only=True):
    """The letter that a club has sent to itself.

    ``delivery``: the server has not taken it (`unsent`), it came back (`returned`), it is `missing`, or it `arrived`,
    perhaps in a folder for `junk`. ``said`` are the server's words, or the name of that folder. It arrived after
    ``seconds``, from the address ``sender``. ``proofs`` are those of ``server``, the one that settings name
    (``is_trusted``) or the topmost of the ``servers`` that have checked it.
    """

    delivery: Literal["unsent", "returned", "missing", "junk", "arrived"]
    said: str = ""
    seconds: int = 0
    sender: str = ""
    server: str = ""
    is_trusted: bool = False
    servers: tuple[str, ...] = ()
    proofs: tuple[Proof, ...] = ()


class ClubCheckup(Value, kw_only=True):
    """The result of the ``checks`` of a club: all ``club_findings``, none if nothing is wrong; the ``letter`` to itself."""

    checks: tuple[str, ...]
    club_findings: tuple[ClubFinding, ...]
    letter: OwnLetter | None = None


def check(folder: Path, now: int, *, is_online: bool = False, looked: Callable[[], object] = lambda: None) -> ClubCheckup:
    """Return what is wrong with the club in ``folder`` at the time ``now``.

    If ``is_online``, also log in to its servers and, if that works and it sends by SMTP, send a letter to itself; call
    ``looked`` after each of ``LOOKS`` at most for it.
    """
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
    letter, failed = None, {one.check for one in findings}
    is_unknown = failed & {"receiving", "sending", "online-receiving", "online-sending"}
    if is_online and club.settings.outgoing.kind == "smtp" and not is_unknown:
        names, failures = (*names, "letter"), []
        with contain(failures.append):
            letter = _send_to_itself(club, looked)
            for what, advice in _of_letter(club, letter):
                findings.append(ClubFinding(check="letter", what=what, advice=advice))
        findings += [ClubFinding(check="letter", what=one.cause, advice=_SERVER) for one in failures]
    return ClubCheckup(checks=names, club_findings=tuple(findings), letter=letter)


def checkup_text(checkup: ClubCheckup) -> str:
    """Return ``checkup`` for people: each problem, and below it what to do; then how the letter has arrived."""
    lines, letter = [f"nothing is wrong; checked: {', '.join(checkup.checks)}"], checkup.letter
    if checkup.club_findings:
        lines = [f"{count(len(checkup.club_findings), 'problem')}:"]
    for one in checkup.club_findings:
        lines += [f"{one.check}: {one.what}", f"{GAP}→ {one.advice}"]
    if letter is not None and letter.delivery in ("arrived", "junk"):
        lines += ["", f"The letter of the club to itself arrived after {count(letter.seconds, 'second')}."]
        if letter.proofs:
            lines[-1] += f" {letter.server} has checked it:"
        for method, name in _METHODS.items():
            found = [f"{one.finding}{one.domain and f' for {one.domain}'}" for one in letter.proofs if one.method == method]
            lines += [f"{GAP}{name}: {', '.join(found) or 'not checked'}"] if letter.proofs else []
        if not letter.proofs:
            lines.append(
                "No server has checked SPF, DKIM and DMARC: many do not check what their own users send. Look at a letter of"
                " the club in a mailbox elsewhere, such as yours: its source has the field Authentication-Results."
            )
        elif not letter.is_trusted:
            lines.append(
                f'If {letter.server} is your mail server, trust.authserv_id = "{letter.server}" in {SETTINGS} lets the club'
                " take only mails whose sender is proven."
            )
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


def _pages(club: Club) -> Found:
    """Yield why `club serve` has no pages, or none that members can use, if the settings name their address."""
    own = urlsplit(club.settings.serve.address)
    if not own.netloc:
        return
    missing = [name for name in ("starlette", "uvicorn", "itsdangerous") if find_spec(name) is None]
    if missing:
        yield f"the pages need {listed(missing)}", "run `pip install 'pbem-adjudicator[serve]'`"
    if own.path.strip("/"):
        advice = f'set serve.address = "{own.scheme}://{own.netloc}" in {SETTINGS}: the pages need a host of their own'
        yield f"serve.address has the path {own.path}, but the pages begin at the root of a host", advice
    if own.scheme == "http" and own.hostname not in ("localhost", "127.0.0.1", "::1"):
        advice = f"get a certificate for the web server (docs/serve.md), and set https in {SETTINGS}"
        yield "serve.address has no encryption: others on the way can take over the sessions of members", advice
    if (folder := desk_folder(club)) and not desk_release(club):
        words = f"{folder}: another version has built this desk, so the pages have no boards"
        yield words, f"run `adjudicator desk -o {folder}`"


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


def _send_to_itself(club: Club, looked: Callable[[], object]) -> OwnLetter:
    """Send a letter with a mark to the club, wait for it, and delete it; a round may take it meanwhile, and ignores it."""
    own, mark, begun = club.settings, token_hex(16), monotonic()
    domain = own.address.rpartition("@")[2]
    data = letter_bytes(
        Letter(
            to=own.address,
            subject=f"Does mail arrive? {mark}",
            text=_TEXT,
            sender=own.address,
            sender_name="",
            message_id=f"<{mark}@{domain}>",
            written=club.now,
        )
    )
    with mailbox_of(club.folder, own.incoming) as box, open_club(club.folder, club.now) as opened:
        with closing(Sender(server_of(own.outgoing))) as sender:
            handed = sender.send(own.address, own.address, data)
        if handed.fate is not Fate.SENT:
            return OwnLetter(delivery="unsent", said=handed.said)
        place, kept, found = "", None, None
        for _ in range(LOOKS):
            place, found = box.take(mark, club.now) or ("", kept)
            if found is not None and not (envelope_of(found).is_bounce and not failure_in(found)):
                break
            found, kept = None, opened.db.value(_KEPT, club.now - _CLOCK_ERROR, mark.encode())
            looked()
            time.sleep(_PAUSE)
    if found is None:
        return OwnLetter(delivery="missing")
    envelope = envelope_of(found)
    if envelope.is_bounce:
        return OwnLetter(delivery="returned", said=failure_in(found))
    servers = tuple(dict.fromkeys(name[1].lower() for name in map(_SERVER_NAME.match, envelope.results) if name))
    server = own.trust.authserv_id or next(iter(servers), "")
    results = results_of(server, envelope.results) if server and find_spec("authres") else ()
    return OwnLetter(
        delivery="junk" if place else "arrived",
        said=place,
        seconds=round(monotonic() - begun),
        sender=envelope.address,
        server=server,
        is_trusted=bool(own.trust.authserv_id),
        servers=servers,
        proofs=tuple(
            Proof(method=method, finding=result, domain=name) for method, result, name in results if method in _METHODS
        ),
    )


def _of_letter(club: Club, letter: OwnLetter) -> Found:
    """Yield what is wrong with the way of the letter, and with the proofs of its sender."""
    address = club.settings.address
    if letter.delivery not in ("arrived", "junk"):
        yield {
            "unsent": (f"the outgoing server does not take the letter: {letter.said}", _SERVER),
            "returned": (
                f"the letter came back: {letter.said}",
                f"let the mail server deliver mails to {address} into the mailbox of the club",
            ),
            "missing": (
                f"the letter did not arrive within {round(LOOKS * _PAUSE)} seconds",
                f"see in the log of the mail server where it is; [incoming] in {SETTINGS} must be the mailbox of {address}",
            ),
        }[letter.delivery]
        return
    if letter.delivery == "junk":
        words = f"the letter came into the folder {letter.said}: the mail server takes it for junk"
        yield words, "let it deliver all mails of the club into incoming.folder; other servers may think so, too"
    if letter.sender != plain_address(address).lower():
        words = (
            f"the letter came from {letter.sender or 'an unclear sender'}, not from {address}: the server has replaced it"
        )
        yield words, f"write the sender that your provider allows as address in {SETTINGS}, or ask the provider"
    if letter.servers and find_spec("authres") is None:
        yield "to read Authentication-Results, the package `authres` is necessary", _INSTALL
    elif letter.servers and letter.server.casefold() not in letter.servers:
        words = (
            f"{letter.server} has not checked the letter, but {listed(letter.servers)}: mails of players will wait for you"
        )
        yield words, f"correct trust.authserv_id in {SETTINGS}: it is the name of your mail server in Authentication-Results"
    domain = plain_domain(address.rpartition("@")[2])

    def is_related(one: str) -> bool:
        return one == domain or one.endswith(f".{domain}") or ("." in one and domain.endswith(f".{one}"))

    proven = {one.method for one in letter.proofs if one.finding == "pass" and is_related(one.domain)}
    for method, name in _METHODS.items():
        found = next((one for one in letter.proofs if one.method == method), None)
        if found is None or method in proven:
            continue
        kind = found.finding if found.finding in ("none", "pass", "permerror", "temperror") else "fail"
        if kind == "pass" and proven:  # another proof is enough, and servers of providers often have an address of theirs
            continue
        what, advice = _FLAWS.get((method, kind)) or _FLAWS["", kind]
        known = {"domain": domain, "other": found.domain or "no domain", "result": found.finding}
        yield f"{name}: {what.format(**known)}", advice.format(**known)


_CHECKS: Final = (_settings, _receiving, _sending, _hook, _people, _permissions, _ledger, _disk, _desk, _pages)
_ONLINE: Final = (_online_receiving, _online_sending)
