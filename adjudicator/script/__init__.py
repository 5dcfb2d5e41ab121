"""Reads, plays, audits and writes scripts: whole games as one text, also games kept by hand."""
