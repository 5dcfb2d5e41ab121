"""Audits and simulations over the workers of a cluster: shards are named, read and decided where there is room."""
