"""Mails: from any bytes to lines of text, from files and folders that hold many, and from and to mail servers."""
