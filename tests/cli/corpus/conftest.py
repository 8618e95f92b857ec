"""What the tests of ``report``, ``sample`` and ``agreement`` share: a run, and a call."""

from __future__ import annotations

from pathlib import Path

import pytest

from tlex.cli.app import run


@pytest.fixture(scope="module")
def out(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    (folder / "news").mkdir()
    for name in ("examples/story.tml", "examples/contradiction.tml"):
        (folder / "news" / Path(name).name).write_bytes(Path(name).read_bytes())
    assert run(["corpus", "run", str(folder / "news"), "-o", str(folder / "out"), "-j", "1"]) == 0
    return folder / "out"


@pytest.fixture
def tlex(capfd):
    def call(*arguments: str | Path) -> tuple[int, str, str]:
        code = run(["corpus", *map(str, arguments)])
        return code, *capfd.readouterr()

    return call
