"""Try the wheel on each supported Python that this machine has: run by ``make pythons``.

Each gets an environment of its own in ``.pythons/``. The quick part of the tests runs there, and
the JSON of the example documents must have the same bytes on all of them. One more environment, of
the oldest Python, has the oldest version of each dependency that ``pyproject.toml`` allows.

python tests/pythons.py WHEEL
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = ROOT / ".pythons"
QUICK = (
    "steps",
    "points",
    "readers/test_timeml.py",
    "export/test_json.py",
    "test_algebra.py",
    "test_extraction.py",
    "test_graph.py",
)
OLD = (*(name for name in QUICK if name != "points"), "cli/test_app.py")
"""What runs with the oldest dependencies; an old networkx warns of itself."""
NEEDED = ("hypothesis", "jsonschema", "lxml", "networkx", "pandas", "pytest", "pytest-xdist")
OLDEST = "oldest-dependencies"
_BOUND = re.compile(r'"([\w-]+)>=([\w.]+)"')
COMMANDS = (
    ("extract", "examples", "--json", "--pairs"),
    ("extract", "examples", "--json", "--calendar", "--mend"),
    ("check", "examples", "--json", "--all"),
    ("fix", "examples", "--json"),
    ("score", "examples/ben", "examples/anna", "--json"),
    ("draw", "examples/story.tml", "--as", "svg"),
    ("draw", "examples/story.tml", "--as", "html"),
    ("convert", "examples/story.tml", "--to", "json", "-o", "-"),
)


def main() -> None:
    """Try every Python; stop with a message if one fails."""
    (wheel,) = sys.argv[1:]
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    supported = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text)
    found = {version: path for version in supported if (path := find_python(version))}
    if not found:
        sys.exit(f"no Python of {', '.join(supported)} was found")
    digests = {version: try_python(version, path, wheel) for version, path in found.items()}
    first = min(found, key=lambda version: tuple(map(int, version.split("."))))
    bounds = list_lower_bounds(text)
    digests[OLDEST] = try_python(OLDEST, found[first], wheel, bounds, OLD)
    if len(set(digests.values())) != 1:
        sys.exit(f"the JSON differs between versions of Python: {digests}")
    missing = [version for version in supported if version not in found]
    print(f"Python {', '.join(digests)}: the tests pass, and the JSON has the same bytes")
    if missing:
        print(f"not on this machine: Python {', '.join(missing)}")


def find_python(version: str) -> str | None:
    """Find a Python of this version: on the path, or among those of pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    others = sorted(pyenv.glob(f"{version}.*/bin/python"))
    for candidate in (shutil.which(f"python{version}"), *map(str, others)):
        if candidate and tell_version(candidate) == version:
            return candidate
    return None


def tell_version(python: str) -> str:
    """Ask a Python for its version; give nothing if it does not run."""
    code = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)  # noqa: S603
    return done.stdout.strip()


def list_lower_bounds(text: str) -> list[str]:
    """List the oldest version of each dependency, but for those of building and development."""
    users = text.partition("[project]")[2].partition("[dependency-groups]")[0]
    return [f"{name}=={bound}" for name, bound in sorted({*_BOUND.findall(users)})]


def try_python(
    version: str,
    python: str,
    wheel: str,
    pins: Sequence[str] = (),
    tests: Sequence[str] = QUICK,
) -> str:
    """Install the wheel, run the tests, and give a digest of what the commands print."""
    place = PLACE / version
    shutil.rmtree(place, ignore_errors=True)
    inside = str(place / "bin" / "python")
    quiet = ("--quiet", "--disable-pip-version-check")
    run(python, "-m", "venv", str(place))
    run(inside, "-m", "pip", "install", *quiet, f"{wheel}[all]", *NEEDED, *pins)
    print(f"Python {version}: installed; testing ...", flush=True)
    paths = [str(ROOT / "tests" / name) for name in tests]
    run(inside, "-m", "pytest", "-q", "-n", "auto", "-m", "not corpus", *paths, CI="1")
    digest = hashlib.sha256()
    for words in COMMANDS:
        digest.update(run(inside, "-m", "tlex", *words, codes=(0, 1)))
    return digest.hexdigest()


def run(*words: str, codes: tuple[int, ...] = (0,), **environment: str) -> bytes:
    """Run a command at the root of the clone and give its output; stop if it fails."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(  # noqa: S603 -- our own commands
        words, cwd=ROOT, env={**kept, **environment}, stdout=subprocess.PIPE, check=False
    )
    if done.returncode not in codes:
        sys.stdout.buffer.write(done.stdout)
        sys.exit(f"failed with exit code {done.returncode}: {' '.join(words)}")
    return done.stdout


if __name__ == "__main__":
    main()
