"""Leaves out what needs Jupyter where it is not installed: tests/run --long installs it."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("anywidget") else ["psl/widget.py", "tests_long"]
