"""Mails as they come: from bytes, whatever is in them, to lines of text; files and folders that hold many."""
