"""Run ``examples/tour.ipynb`` and keep what its cells show.

python docs/notebook.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

TOUR = Path(__file__).parents[1] / "examples" / "tour.ipynb"


def run_notebook(path: Path) -> Any:  # noqa: ANN401 -- nbformat has no types
    """Give a notebook with what its cells show now, and nothing that differs between runs."""
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        coalesce_streams=True,
        resources={"metadata": {"path": path.parent}},
    ).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # times
    notebook.metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    return notebook


if __name__ == "__main__":
    nbformat.write(run_notebook(TOUR), TOUR)
