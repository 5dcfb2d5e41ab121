# mypy: implicit-reexport
# ruff: noqa: F401 - the imports are what programs use
"""Run audits on the workers of a cluster: ``audit.py`` cuts them into tasks, ``workers.py`` sends these to the workers."""

from adjudicator.cluster.audit import audit_on_cluster
from adjudicator.cluster.workers import ClusterError
