"""The command line: reads arguments, calls one use case, prints. The only place that prints or exits."""
