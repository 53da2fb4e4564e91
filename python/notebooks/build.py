"""Runs the notebooks in this folder, and writes them with their outputs and as pages of docs/notebooks.

    PYTHONPATH=$PWD/python python python/notebooks/build.py

Needs nbclient, ipykernel and the module of the package.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
PAGES = FOLDER.parents[1] / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
"""The notebooks. Each is a page of the book with the same name."""

Notebook = dict[str, Any]


def read(path: Path) -> Notebook:
    return json.loads(path.read_text(encoding="utf-8"))


def executed(path: Path) -> Notebook:
    """Runs a notebook. Returns it with its outputs, and without what changes from one run to the next."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    settings = {"metadata": {"path": str(FOLDER)}, "timeout": 300}
    NotebookClient(notebook, resources=settings, record_timing=False, kernel_name="python3").execute()
    notebook.metadata = {"kernelspec": notebook.metadata.kernelspec, "language_info": {"name": "python"}}
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id, cell.metadata = f"cell-{number}", {}
    return json.loads(nbformat.writes(notebook))


def page(notebook: Notebook) -> str:
    """Returns the page of a notebook as Markdown."""
    parts = [part for cell in notebook["cells"] for part in _parts(cell)]
    text = "\n\n".join(part.strip("\n") for part in parts) + "\n"
    # The first output has the style for all.
    style = re.search("<style>.*?</style>", text)
    return text if style is None else text[: style.end()] + text[style.end() :].replace(style[0], "")


def _parts(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        # The notebook and its page are in different folders of the repository.
        source = re.sub(r"\]\(\.\./\.\./docs/", "](../", source)
        return [re.sub(r"\]\(([\w-]+)\.ipynb\)", r"](\1.md)", source)]
    language = "psl" if source.startswith("%%psl") else "python"
    return [f"```{language}\n{source}\n```", *map(_output, cell["outputs"])]


def _output(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return _text(output["text"])
    data = output["data"]
    if "text/html" in data:
        # An empty line would end the HTML.
        return "".join(data["text/html"]).replace("\n", "&#10;")
    return _text(data["text/plain"])


def _text(lines: list[str]) -> str:
    return f"```text\n{''.join(lines).rstrip()}\n```"


def write() -> None:
    PAGES.mkdir(exist_ok=True)
    for path in NOTEBOOKS:
        notebook = executed(path)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        (PAGES / path.with_suffix(".md").name).write_text(page(notebook), encoding="utf-8")


if __name__ == "__main__":
    write()
