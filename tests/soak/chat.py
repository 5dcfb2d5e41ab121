"""The chat service of the tests of clubs, for those that still import it from here."""

from tests.drivers.servers import Chat, chat

__all__ = ["Chat", "chat"]
