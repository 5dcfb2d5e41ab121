"""Read mails, from any bytes to lines of text, and exchange them with mail servers. It knows no game and no order.

Files and folders of mails: ``mailboxes.py``, ``recognize.py`` (is a file a mail?). One mail: ``message.py``,
``parse.py`` (its bytes), ``part.py``, ``body.py``, ``flowed.py`` (line ends), ``charset.py``, ``html_text.py``,
``limits.py``. The sender: ``envelope.py``; mail addresses: ``addresses.py``. Fetching: ``incoming.py`` (Maildir),
``imap.py``. Sending: ``outgoing.py`` makes a mail, ``smtp.py`` sends it. Addresses and logins of servers:
``servers.py``. JSON to chat services: ``webhooks.py``.
"""
