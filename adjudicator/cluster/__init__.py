# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Run audits and simulations on the workers of a cluster, cut into shards.

``shards.py`` names the work, ``workers.py`` holds the workers and what each of them keeps. ``audit.py`` and
``simulate.py`` run everything; ``results.py`` keeps the results in a folder, from which a run continues.
"""

from adjudicator.cluster.audit import audit_on_cluster
from adjudicator.cluster.simulate import tally_on_cluster
from adjudicator.cluster.workers import ClusterError
