"""Runs the notebooks of capi/python/notebooks: python notebooks.py [--write]

Run it from the root of a built repository. Each notebook has a kernel of its own, in
a folder of its own, which talks to this program by sockets in a folder, not over a network. What a notebook asserts
must hold. Kept notebooks have no outputs, and are written as nbformat writes them. With --write, what
they print and draw goes to docs/notebooks, which the documentation site shows.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = Path("capi/python/notebooks")
SHOWN = Path("docs/notebooks")

# Figures are SVG with texts as texts, the same at each run.
FIGURES = "svg.hashsalt: skidpad\nsvg.fonttype: none\n"
INLINE = ["--InlineBackend.figure_formats=['svg']", "--InlineBackend.print_figure_kwargs={'metadata': {'Date': None}}"]


def faults(path: Path) -> list[str]:
    """What a kept notebook must not have, and how it is written."""
    text = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    found = [] if text == nbformat.writes(notebook) + "\n" else ["it is not written as nbformat writes it"]
    for n, cell in enumerate(notebook.cells, 1):
        if cell.metadata:
            found.append(f"cell {n} has metadata")
        if cell.id != f"cell-{n:02d}":
            found.append(f"cell {n} has the id {cell.id}, not cell-{n:02d}")
        if cell.cell_type == "code" and (cell.outputs or cell.execution_count is not None):
            found.append(f"cell {n} has outputs or a count: clear all outputs before it is kept")
    if set(notebook.metadata) != {"kernelspec", "language_info"} or set(notebook.metadata["language_info"]) != {"name"}:
        found.append("its metadata holds more than the kernel and the name of the language")
    if not any("assert " in cell.source for cell in notebook.cells if cell.cell_type == "code"):
        found.append("it asserts nothing")
    return found


async def run(path: Path, folder: Path) -> bool:
    """Checks and runs a notebook; returns whether it succeeded."""
    begin, problem = time.monotonic(), "; ".join(faults(path))
    if not problem:
        problem = await execute(path, folder)
    print(
        f"FAILED  {path}: {problem}" if problem else f"passed  {path} in {time.monotonic() - begin:.0f} s", flush=True
    )
    return not problem


async def execute(path: Path, folder: Path) -> str:
    """Runs a notebook; returns what failed, "" for nothing."""
    notebook = nbformat.read(path, as_version=4)
    manager = AsyncKernelManager(kernel_name="python3", transport="ipc", ip=str(folder / path.stem))
    client = NotebookClient(
        notebook,
        km=manager,
        timeout=600,
        record_timing=False,
        extra_arguments=INLINE,
        resources={"metadata": {"path": str(Path.cwd())}},
    )
    try:
        await client.async_execute()
    except CellExecutionError as error:
        return str(error)
    if "--write" in sys.argv:
        SHOWN.mkdir(exist_ok=True)
        notebook.metadata = nbformat.read(path, as_version=4).metadata
        text = re.sub(rf"{re.escape(tempfile.gettempdir())}/tmp\w+", "FOLDER", nbformat.writes(notebook))
        (SHOWN / path.name).write_text(text + "\n", encoding="utf-8")
    return ""


async def main() -> int:
    long = "--long" in sys.argv
    paths = sorted((NOTEBOOKS / "long" if long else NOTEBOOKS).glob("*.ipynb"))
    with tempfile.TemporaryDirectory() as folder:
        backend = "module://matplotlib_inline.backend_inline"
        os.environ.update(MPLBACKEND=backend, JUPYTER_RUNTIME_DIR=folder, IPYTHONDIR=folder, MPLCONFIGDIR=folder)
        (Path(folder) / "matplotlibrc").write_text(FIGURES)
        done = await asyncio.gather(*(run(path, Path(folder)) for path in paths))
    return 0 if len(paths) >= (1 if long else 3) and all(done) else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
