"""The mails of the corpus, as frames around any orders."""
