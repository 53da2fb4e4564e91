"""Leaves out the tests in Jupyter, which have a configuration of their own."""

collect_ignore = ["tests_long"]
