"""Real servers for the tests: Dovecot for mails that come in, aiosmtpd for those that go out."""

from __future__ import annotations

import imaplib
import os
import pwd
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {base}/run
state_dir = {base}/state
log_path = {base}/log
default_login_user = {user}
default_internal_user = {user}
default_internal_group = {group}
disable_plaintext_auth = no
{tls}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {base}/passwd
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={base}/home
}}
mail_location = maildir:{base}/home/Maildir
first_valid_uid = 1
namespace inbox {{
  inbox = yes
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    address = 127.0.0.1
    port = {port}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""

CERTIFICATES = """
[req]
distinguished_name = name
prompt = no
[name]
CN = a test of adjudicator
[authority]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical,CA:FALSE
subjectAltName = IP:127.0.0.1
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
"""


@dataclass(frozen=True)
class Tls:
    """The certificate of an authority that only the test trusts, and a folder with a server's certificate and key."""

    authority: Path
    folder: Path

    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.authority))


def certified(folder: Path) -> Tls:
    """Make an authority in ``folder``, and a server's certificate for 127.0.0.1; skip the test without OpenSSL."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("OpenSSL is not installed")
    (folder / "openssl.cnf").write_text(CERTIFICATES)
    common = [program, "req", "-x509", "-config", "openssl.cnf", "-days", "2", "-nodes", "-newkey", "rsa:2048"]
    issued = ["-CA", "authority.pem", "-CAkey", "authority.key"]
    for name, more in (("authority", ["-subj", "/CN=an authority of the test"]), ("server", issued)):
        files = ["-extensions", name, "-keyout", f"{name}.key", "-out", f"{name}.pem"]
        subprocess.run([*common, *files, *more], cwd=folder, check=True, capture_output=True)
    return Tls(folder / "authority.pem", folder)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def require_dovecot() -> str:
    """Return where Dovecot is, or skip the test with what is missing."""
    path = shutil.which("dovecot") or shutil.which("dovecot", path="/usr/sbin:/usr/local/sbin")
    if path is None:
        pytest.skip("Dovecot is not installed (Debian: dovecot-imapd)")
    return path


@dataclass
class Imap:
    """A mail account on a running Dovecot."""

    port: int
    user: str = "club"
    password: str = "secret"
    tls: Tls | None = None

    @contextmanager
    def box(self) -> Iterator[imaplib.IMAP4]:
        """Log in."""
        with imaplib.IMAP4("127.0.0.1", self.port, timeout=20) as box:
            if self.tls is not None:
                box.starttls(self.tls.context())
            box.login(self.user, self.password)
            yield box

    def deliver(self, data: bytes, when: int | None = None, folder: str = "INBOX") -> None:
        """Put a mail into a folder, as a mail server does: ``when`` in seconds since 1970, or now."""
        with self.box() as box:
            status, said = box.append(folder, "", "" if when is None else imaplib.Time2Internaldate(when), data)
            assert status == "OK", said

    def count(self, folder: str) -> int:
        with self.box() as box:
            status, found = box.select(f'"{folder}"', readonly=True)
            return int(found[0] or 0) if status == "OK" else 0


@contextmanager
def dovecot(tls: Tls | None = None) -> Iterator[Imap]:
    """Run Dovecot with one account for as long as the block runs; with ``tls`` it offers STARTTLS.

    Its folder has a short name: sockets must have one.
    """
    path = require_dovecot()
    account = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
    group = __import__("grp").getgrgid(account.pw_gid).gr_name
    base = Path(tempfile.mkdtemp(prefix="dc", dir="/tmp"))
    imap = Imap(free_port(), tls=tls)
    try:
        for part in ("run", "state", "home"):
            (base / part).mkdir()
        (base / "passwd").write_text(f"{imap.user}:{{PLAIN}}{imap.password}\n")
        config = base / "dovecot.conf"
        offered = "ssl = no"
        if tls is not None:
            shutil.copytree(tls.folder, base / "tls")
            offered = f"ssl = yes\nssl_cert = <{base}/tls/server.pem\nssl_key = <{base}/tls/server.key"
        config.write_text(CONFIG.format(base=base, user=account.pw_name, group=group, port=imap.port, tls=offered))
        if os.getuid() == 0:
            for place in (base, *base.rglob("*")):
                os.chown(place, account.pw_uid, account.pw_gid)
        who: dict[str, Any] = {"user": account.pw_uid, "group": account.pw_gid} if os.getuid() == 0 else {}
        server = subprocess.Popen([path, "-F", "-c", str(config)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **who)
        try:
            _await_greeting(imap, server, base)
            yield imap
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(10)
            server.kill()
            server.wait()
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _await_greeting(imap: Imap, server: subprocess.Popen[bytes], base: Path) -> None:
    """Wait until the server greets; connecting waits by itself, so nothing here sleeps for a set time."""
    for _ in range(2_000):
        if server.poll() is not None:
            log = (base / "log").read_text() if (base / "log").is_file() else ""
            raise AssertionError(f"Dovecot has ended: {server.stdout.read() if server.stdout else ''!r} {log}")
        with suppress(OSError, imaplib.IMAP4.error), imap.box():
            return
        with suppress(subprocess.TimeoutExpired):
            server.wait(0.02)
    raise AssertionError(f"Dovecot does not answer: {(base / 'log').read_text()}")


@dataclass
class Smtp:
    """A mail server that keeps what it is handed; ``answer`` says what it answers to (recipient, data), usually nothing."""

    port: int = 0
    mails: list[tuple[str, bytes]] = field(default_factory=list)
    refuse: Callable[[str], str | None] = lambda _to: None
    refuse_data: Callable[[bytes], str | None] = lambda _data: None

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any) -> str:  # noqa: N802
        said = self.refuse(address)
        if said is not None:
            return said
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        said = self.refuse_data(envelope.content)
        if said is not None:
            return said
        self.mails += [(to, envelope.content) for to in envelope.rcpt_tos]
        return "250 OK"


@contextmanager
def smtp() -> Iterator[Smtp]:
    """Run a mail server that takes everything, unless it is told otherwise."""
    handler = Smtp(free_port())
    controller = Controller(handler, hostname="127.0.0.1", port=handler.port, data_size_limit=None)
    controller.start()
    try:
        yield handler
    finally:
        controller.stop(no_assert=True)


@contextmanager
def smtp_apart(folder: Path, tls: Tls) -> Iterator[int]:
    """Run a mail server that demands STARTTLS, in a process of its own; mails go into ``folder``. Yields its port."""
    port = free_port()
    files = ["--tlscert", str(tls.folder / "server.pem"), "--tlskey", str(tls.folder / "server.key")]
    program = [sys.executable, "-m", "aiosmtpd", "-n", "-l", f"127.0.0.1:{port}", *files]
    server = subprocess.Popen([*program, "-c", "aiosmtpd.handlers.Mailbox", str(folder)])
    try:
        for _ in range(2_000):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
                break
            assert server.poll() is None, "the mail server has ended"
            with suppress(subprocess.TimeoutExpired):
                server.wait(0.02)
        yield port
    finally:
        server.kill()
        server.wait()


def by_imap(post: Any, imap: Imap, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a club, which has a ``folder``, fetch its mails from ``imap``."""
    monkeypatch.setenv("CLUB_TEST_PASSWORD", imap.password)
    security = "none" if imap.tls is None else "starttls"
    words = f'kind = "imap"\nhost = "127.0.0.1"\nport = {imap.port}\nsecurity = "{security}"\nuser = "{imap.user}"'
    words += '\nfolder = "INBOX"\npassword.env = "CLUB_TEST_PASSWORD"'
    _replace(post.folder / "club.toml", 'kind = "maildir"\nfolder = "inbox"', words)


def by_smtp(post: Any, port: int, security: str = "none") -> None:
    """Let a club, which has a ``folder``, send its mails to the server at ``port``."""
    words = f'kind = "smtp"\nhost = "127.0.0.1"\nport = {port}\nsecurity = "{security}"\n#'
    _replace(post.folder / "club.toml", 'kind = "folder" ', words)


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
