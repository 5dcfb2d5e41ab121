"""Text to typed orders and back: the only place that knows the grammar."""
