"""Leaves out what needs Jupyter: tests_long has a configuration of its own."""

from importlib.util import find_spec

collect_ignore = ["tests_long"] if find_spec("anywidget") else ["tests_long", "psl/_widget.py"]
