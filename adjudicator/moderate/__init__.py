"""Do a moderator's work with orders that arrive: adjudicate them, keep pending ones, write receipts."""
