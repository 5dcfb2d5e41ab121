"""Game files: read with every check, write without ever losing the old one. Import the modules; this file stays empty."""
