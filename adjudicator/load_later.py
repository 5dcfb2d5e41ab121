"""Load modules of the standard library only when they are used."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any


class _Later(ModuleType):
    """A module that is loaded at its first use.

    The standard library's ``LazyLoader`` does that, too, but Python 3.11 takes a second import of the module for a use.
    """

    def __getattr__(self, name: str) -> Any:
        self.__class__ = ModuleType  # type: ignore[assignment]
        loader = self.__spec__.loader if self.__spec__ is not None else None
        if loader is not None:
            loader.exec_module(self)
        return getattr(self, name)


def load_when_used(name: str) -> None:
    """Load the module ``name`` at its first use, and not when it is imported.

    ``dataclasses`` imports ``inspect`` for classes without a docstring; to load that takes a tenth of a short command.
    """
    spec = None if name in sys.modules else find_spec(name)
    if spec is not None and spec.loader is not None:
        sys.modules[name] = module_from_spec(spec)
        sys.modules[name].__class__ = _Later
