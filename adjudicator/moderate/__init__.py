"""What a moderator does with orders that arrive: adjudicate them, keep what waits, tell what became of them."""
