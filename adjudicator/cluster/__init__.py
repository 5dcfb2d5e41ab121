# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Run audits and simulations on the workers of a cluster.

``workers.py`` sends tasks to the workers; ``audit.py`` and ``simulate.py`` cut their work into tasks, and keep the results.
"""

from adjudicator.cluster.audit import audit_on_cluster
from adjudicator.cluster.simulate import tally_on_cluster
from adjudicator.cluster.workers import ClusterError
