"""The servers of the tests of clubs, for those that still import them from here."""

from tests.drivers.servers import Imap, Smtp, by_imap, by_smtp, certified, dovecot, smtp, smtp_apart

__all__ = ["Imap", "Smtp", "by_imap", "by_smtp", "certified", "dovecot", "smtp", "smtp_apart"]
