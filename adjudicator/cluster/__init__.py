"""Run audits and simulations on the workers of a cluster, cut into shards."""
