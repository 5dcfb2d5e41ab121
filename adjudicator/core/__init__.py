"""The core: what every game shares. Pure functions and frozen values; no files, no clock, no text formats."""
