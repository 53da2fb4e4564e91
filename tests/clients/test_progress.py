"""Progress of long work on a terminal, and its absence elsewhere."""

import os
import re
import subprocess
import time
from pathlib import Path

import pytest
from paths import PARGEN, PSL
from terminal import WITHOUT_COLOR, Terminal

LINE = "Q a A a . Q b A\tb .\n"
WRONG = "Q a A a . Q b A\tc .\n"
SHARE = r"\[=*>? *\] +\d+ %, "
RATE = r"[\d,]+ {0}, [\d,]+ {0}/s"
LEFT = r", \d+\w+ left"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("progress")
    pargen = PARGEN.read_text()
    (folder / "pargen.psl").write_text(pargen)
    (folder / "data.tsv").write_text(LINE * 1_000_000)
    (folder / "train.tsv").write_text("Q ab A ab . Q cd A\tcd .\n" * 5_000_000)
    # Many names of one long program.
    head, _, productions = pargen.partition("# P0:")
    (folder / "many").mkdir()
    (folder / "many/0.psl").write_text(head + f"# P0:{productions}\n" * 50)
    for number in range(1, 500):
        os.link(folder / "many/0.psl", folder / f"many/{number}.psl")
    return folder


@pytest.mark.parametrize(
    "command, shown",
    [
        ("eval pargen.psl data.tsv", SHARE + RATE.format("prompts") + LEFT),
        ("eval pargen.psl data.tsv --limit 999999", SHARE + RATE.format("prompts") + LEFT),
        ("tgt --split train --count 100000000 -o /dev/null", SHARE + RATE.format("lines") + LEFT),
        ("tgt --split train --check train.tsv", SHARE + RATE.format("lines") + LEFT),
        ("check many", SHARE + RATE.format("files") + LEFT),
        ("fmt --check many", SHARE + RATE.format("files") + LEFT),
        ("test many", SHARE + RATE.format("files") + LEFT),
        (
            "compile pargen.psl --emit weights --dense -o /dev/null",
            SHARE + r"[\d.]+ [MG]B of 6\.3 GB, [\d.]+ [kMG]B/s" + LEFT,
        ),
    ],
)
def test_long_work_shows_its_share_rate_and_time_left(folder, command, shown):
    with Terminal(folder, PSL, *command.split()) as terminal:
        terminal.read_up_to(shown)


def test_results_and_progress_leave_whole_lines(folder):
    with Terminal(folder, PSL, "eval", "pargen.psl", "-", stdin=subprocess.PIPE) as terminal:
        # More than a batch on as many as 64 cores, so that the wrong line is reported while the progress is shown.
        write = lambda text: terminal.process.stdin.write(text.encode()) and terminal.process.stdin.flush()
        write(WRONG + LINE * 256 * 64)
        for _ in range(300):
            write(LINE * 256 * 64)
            os.set_blocking(terminal.ours, False)
            terminal.read()
            if re.search(RATE.format("prompts"), terminal.written):
                break
        else:
            pytest.fail(f"no progress: {terminal.written}")
        os.set_blocking(terminal.ours, True)
        write(WRONG)
        terminal.process.stdin.close()
        lines = re.sub(r"\x1b\[[\d;]*m", "", terminal.left()).split("\n")
    wrong = ["  prompt    Q a A a . Q b A", "  expected  c .", "  got       b .", "            ^"]
    assert lines[0] == "<stdin>:1: symbol 1 is `b`, not `c`"
    assert lines[1:5] == wrong
    assert re.fullmatch(r"<stdin>:\d+: symbol 1 is `b`, not `c`", lines[5])
    assert lines[6:10] == wrong
    assert re.fullmatch(r"\d+ of \d+ correct \([\d.]+ %\), [\d.]+ s, \d+ prompts/s", lines[10])
    assert lines[11:] == [""]


def fed_slowly(process: subprocess.Popen):
    """Gives a command more than a second of work."""
    process.stdin.write(LINE.encode())
    process.stdin.flush()
    time.sleep(2)
    process.stdin.write(LINE.encode())
    process.stdin.close()


def test_pipes_get_no_progress(folder):
    command = [PSL, "eval", "pargen.psl", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        fed_slowly(process)
        assert process.stderr.read() == b""
        assert process.stdout.read().startswith(b"2 of 2 correct")


@pytest.mark.parametrize("term, shows", [("xterm", True), ("dumb", False)])
def test_a_terminal_without_a_cursor_gets_no_progress(folder, term, shows):
    with Terminal(folder, PSL, "eval", "pargen.psl", "-", stdin=subprocess.PIPE, environment=WITHOUT_COLOR | {"TERM": term}) as terminal:
        fed_slowly(terminal.process)
        assert terminal.left().startswith("2 of 2 correct")
        assert ("prompts/s" in terminal.written.partition("2 of 2")[0]) == shows


def test_large_dense_weights_are_refused(folder):
    with Terminal(folder, PSL, "compile", "pargen.psl", "--emit", "weights", "-o", "large.safetensors") as terminal:
        terminal.read_all()
        assert terminal.process.wait() == 2
        size = "psl: large.safetensors: 6.3 GB (positions 77, vocabulary 158, 31 layers): "
        assert terminal.written.startswith(size) and "--dense" in terminal.written and "--sparse" in terminal.written
    assert [path for path in folder.iterdir() if path.suffix in {".safetensors", ".tmp"}] == []


def test_large_dense_weights_are_announced_and_written_with_dense(folder):
    command = [PSL, "compile", "pargen.psl", "--emit", "weights", "--dense", "-o", "/dev/stdout"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stderr.readline() == b"/dev/stdout: 6.3 GB (positions 77, vocabulary 158, 31 layers)\n"
        assert len(process.stdout.read(1_000_000)) == 1_000_000
        process.kill()
