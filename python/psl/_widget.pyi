from typing import Any

__all__ = ["widget_class"]

# The class itself has no type without anywidget.
def widget_class() -> Any: ...
