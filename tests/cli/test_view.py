"""``tlex view``: it serves, it follows, it stops; and what it writes needs no server."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
TLEX = [sys.executable, "-m", "tlex"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / "deep").mkdir(parents=True)
    shutil.copy(EXAMPLES / "story.tml", home)
    shutil.copy(EXAMPLES / "contradiction.tml", home / "deep")
    return home


@contextmanager
def serving(*arguments: object) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start the server; give its process and its port once it has printed its address."""
    process = subprocess.Popen(  # noqa: S603
        [*TLEX, "view", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stdout.readline()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", line)
        assert found, line + process.stderr.read()
        yield process, int(found[1])
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def ask(port: int, path: str = "/", host: str | None = None) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    found = answer.status, answer.read().decode()
    connection.close()
    return found


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    words = [*TLEX, "view", *map(str, arguments)]
    return subprocess.run(  # noqa: S603
        words, capture_output=True, text=True, check=False, timeout=60
    )


def test_it_prints_its_address_answers_there_and_ends_with_ctrl_c(folder):
    with serving(folder) as (process, port):
        assert ask(port)[0] == 200
        assert ask(port, "/document/story.tml")[0] == 200
        assert ask(port, host="example.org")[0] == 421
        assert ask(port, "/document/../../x")[0] == 404
        for pause, code in ((False, b"400"), (True, b"405")):  # before the answer, and after it
            with socket.create_connection(("127.0.0.1", port)) as rude:
                head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                rude.sendall(head if pause else head + b"x\r\n")
                assert rude.recv(12) == b"HTTP/1.1 " + code
                rude.sendall(b"x\r\n")
        assert ask(port)[0] == 200  # the server has come to the end of the other request

        process.send_signal(signal.SIGINT)
        out, talk = process.communicate(timeout=10)

        assert process.returncode == 130
        assert out == ""
        assert talk == f"tlex: showing {folder}; press Ctrl-C to stop\n"


def send_without_end(port: int, method: str, path: str, head: str) -> tuple[bytes, int]:
    """Send a request, and after the answer a body without end, of which 100 MB have to do.

    Give the begin of the answer, and how many bytes of the body were sent.
    """
    piece = b"x" * 65_536
    if "chunked" in head:
        piece = b"10000\r\n" + piece + b"\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=60) as endless:
        endless.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n\r\n".encode())
        answer = endless.recv(12)
        sent = 0
        try:
            while sent < 100 << 20:
                endless.sendall(piece)
                sent += len(piece)
        except ConnectionError:
            pass
    return answer, sent


CHUNKED = "Transfer-Encoding: chunked"
LONG = f"Content-Length: {10**15}"


@pytest.mark.parametrize(
    ("method", "path", "head", "status"),
    [
        ("POST", "/decide/story.tml", f"Host: example.org\r\n{CHUNKED}", b"421"),
        ("POST", "/", f"Host: example.org\r\n{LONG}", b"421"),
        ("POST", "/", f"Host: localhost\r\n{CHUNKED}", b"405"),
        ("PUT", "/document/story.tml", f"Host: localhost\r\n{LONG}", b"405"),
        ("POST", "/nothing", f"Host: localhost\r\n{CHUNKED}", b"404"),
        ("GET", "/", f"Host: localhost\r\n{CHUNKED}", b"200"),
    ],
)
def test_a_body_without_end_is_not_read_to_its_end(folder, method, path, head, status):
    with serving(folder) as (_, port):
        answer, sent = send_without_end(port, method, path, head)

        assert answer == b"HTTP/1.1 " + status
        assert sent < 50 << 20
        assert ask(port)[0] == 200


def test_a_connection_serves_the_next_request(folder):
    with serving(folder) as (_, port):
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        try:
            connection.request("GET", "/")
            connection.getresponse().read()
            first = connection.sock
            assert first is not None
            connection.request("GET", "/changes", headers={"Content-Length": "0"})
            connection.getresponse().read()
            assert connection.sock is first
        finally:
            connection.close()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_is_silent_while_somebody_has_not_read_the_answer(folder):
    words = " ".join(f'<EVENT eid="e{n}" class="STATE">word{n}</EVENT>' for n in range(8_000))
    (folder / "long.tml").write_text(f"<TimeML>{words}</TimeML>")
    with serving(folder / "long.tml") as (process, port), socket.socket() as lazy:
        lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lazy.connect(("127.0.0.1", port))
        lazy.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert lazy.recv(1)

        process.send_signal(signal.SIGINT)
        _, talk = process.communicate(timeout=20)

    assert talk.count("\n") == 1, talk
    assert process.returncode == 130


def test_it_listens_on_this_machine_only(folder):
    with serving(folder / "story.tml") as (_, port):
        others = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None)}
        for address in sorted(others - {"127.0.0.1", "::1"}):
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            with socket.socket(family) as elsewhere:
                elsewhere.settimeout(2)
                assert elsewhere.connect_ex((address, port)) != 0
        assert ask(port)[0] == 200


def test_a_port_that_is_taken_is_reported(folder):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run(folder, "--port", taken.getsockname()[1])

    assert done.returncode == 2
    assert re.fullmatch(r"tlex: port \d+ cannot be used: .*\n", done.stderr)


def test_what_cannot_be_viewed_is_reported_in_one_line(tmp_path):
    broken = tmp_path / "broken.tml"
    broken.write_text("<TimeML>")
    cases = {
        "-": "a file or a directory can be viewed, not standard input",
        str(tmp_path / "none"): "there is no such file or directory",
        str(broken): f"tlex: {broken}:1:9: ",
    }
    for argument, message in cases.items():
        done = run(argument)
        assert done.returncode == 2
        assert message in done.stderr
        assert done.stderr.count("\n") == 1


def test_without_the_extra_it_says_what_to_install(folder):
    hidden = "import sys; sys.modules['uvicorn'] = None; from tlex.cli import main; main()"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", hidden, "view", str(folder)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 2
    assert "pip install 'tlex[view]'" in done.stderr
    assert "--export" in done.stderr


def test_pages_can_be_written_with_an_index(folder, tmp_path):
    (folder / "index.tml").write_text("<TimeML>Not the index.</TimeML>")
    target = tmp_path / "pages"

    done = run(folder, "--export", target)

    assert (done.returncode, done.stdout) == (0, f"{target / 'index.html'}\n")
    assert done.stderr == f"tlex: wrote 3 documents to {target}\n"
    written = sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())
    assert written == [
        "deep/contradiction.tml.html",
        "index.html",
        "index.tml.html",
        "story.tml.html",
    ]
    for path in target.rglob("*.html"):
        page = path.read_text("utf-8")
        assert "connect-src &#x27;none&#x27;" in page
        assert str(folder) not in page

    again = run(folder, "--export", target)

    assert again.returncode == 0
    assert len(list(target.rglob("*"))) == 5  # nothing beside what was there: 4 pages, 1 folder


def test_only_documents_that_have_a_page_are_counted_as_written(folder, tmp_path):
    (folder / f"{'n' * 251}.tml").write_text("<TimeML>A name with no room for an ending.</TimeML>")
    (folder / "broken.tml").write_text("<TimeML>")
    target = tmp_path / "pages"

    done = run(folder, "--export", target)

    assert done.returncode == 2
    assert done.stderr.endswith(f"tlex: wrote 2 documents to {target}\n")
    assert "cannot be written: File name too long" in done.stderr


def test_pages_never_stand_in_each_others_way(folder, tmp_path):
    shutil.copytree(folder / "deep", folder / "story.tml.html")
    shutil.copy(EXAMPLES / "story.tml", folder / "STORY.tml")
    target = tmp_path / "pages"

    done = run(folder, "--export", target)

    assert (done.returncode, done.stderr) == (0, f"tlex: wrote 4 documents to {target}\n")
    written = [str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()]
    assert sorted(written) == [
        "STORY.tml (2).html",
        "deep/contradiction.tml.html",
        "index.html",
        "story.tml (3).html",
        "story.tml.html/contradiction.tml.html",
    ]


def test_a_page_that_cannot_be_written_is_reported_and_the_others_are_there(folder, tmp_path):
    target = tmp_path / "pages"
    target.mkdir()
    (target / "deep").write_text("in the way")

    done = run(folder, "--export", target)

    assert done.returncode == 2
    assert done.stderr.count("\n") == 2
    assert f"tlex: {target / 'deep'}: cannot be made: " in done.stderr
    assert (target / "story.tml.html").exists()
    assert "cannot be made" in (target / "index.html").read_text("utf-8")


def test_a_broken_document_gets_a_page_and_a_line(folder, tmp_path):
    (folder / "broken.tml").write_text("<TimeML>")

    done = run(folder, "--export", tmp_path / "pages")

    assert done.returncode == 2
    assert "broken.tml:1:9: " in done.stderr
    assert "Traceback" not in done.stderr
    assert "broken.tml:1:9: " in (tmp_path / "pages" / "broken.tml.html").read_text("utf-8")
    assert (tmp_path / "pages" / "story.tml.html").exists()


def test_pages_go_nowhere_where_they_would_be_read_or_in_the_way(folder, tmp_path):
    (tmp_path / "file").write_text("")
    for target, message in ((folder / "pages", "lies inside"), (tmp_path / "file", "is a file")):
        done = run(folder, "--export", target)
        assert done.returncode == 2
        assert message in done.stderr
    assert not (folder / "pages").exists()


def test_an_empty_directory_has_nothing_to_write(tmp_path):
    (tmp_path / "empty").mkdir()

    done = run(tmp_path / "empty", "--export", tmp_path / "pages")

    assert done.returncode == 2
    assert "no document in this directory" in done.stderr
    assert not (tmp_path / "pages").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_names_with_bytes_that_are_no_text_are_served(folder):
    shutil.copy(EXAMPLES / "story.tml", os.fsencode(folder) + b"/b\xff.tml")

    with serving(folder) as (_, port):
        for _ in range(100):
            if (found := ask(port, "/document/b%5Cxff.tml"))[0] == 200:
                break

        assert found[0] == 200


@pytest.mark.parametrize(("options", "chips"), [((), False), (("--no-mend",), True)])
def test_pages_are_mended_unless_not_wanted(options, chips, tmp_path):
    target = tmp_path / "pages"

    done = run(EXAMPLES / "contradiction.tml", "--export", target, *options)

    assert done.returncode == 0, done.stderr
    page = (target / "contradiction.tml.html").read_text("utf-8")
    assert ('"left_out":[]' in page) == chips
    assert ('"chips":[]' in page) != chips


def test_draw_writes_the_same_page(tmp_path):
    target = tmp_path / "story.html"

    words = [*TLEX, "draw", str(EXAMPLES / "story.tml"), "-o", str(target)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603

    assert done.returncode == 0, done.stderr
    assert '"page":"document"' in target.read_text("utf-8")


@pytest.mark.parametrize("command", [["extract"], ["draw"], ["check", "--ignore", "TLX112"]])
def test_commands_that_show_no_page_load_nothing_of_it(command):
    code = (
        "import sys; from tlex.cli.app import run; run(sys.argv[1:]); "
        "print([name for name in sys.modules if name.split('.')[0] in ('starlette', 'uvicorn')"
        " or name.startswith(('tlex.viewer', 'tlex.cli.view'))])"
    )
    words = [sys.executable, "-c", code, *command, str(EXAMPLES / "story.tml")]

    done = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603

    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--repair", "--export", "out"], "exported pages only show; --repair needs the server"),
        (["--patch", "p.json"], "--patch and --who are for decisions; give --repair too"),
        (["--who", "Ann"], "--patch and --who are for decisions; give --repair too"),
        (["--repair", "--patch", "no/p.json"], "no/p.json: cannot be written: there is no "),
        (["--repair", "--patch", "."], ".: is a directory; give the patch a file name"),
    ],
)
def test_options_of_a_repair_session_go_together(folder, words, message):
    done = subprocess.run(  # noqa: S603
        [*TLEX, "view", str(folder), *words],
        capture_output=True,
        text=True,
        cwd=folder,
        check=False,
    )

    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
