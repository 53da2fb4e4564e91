"""The server in the workbench of Visual Studio Code: found, killed, missing, slow and replaced."""

import os
import signal

import pytest
from pargen import BROKEN, FAILING
from paths import PSL
from workbench import Workbench, until

FILES = {"broken.psl": ["unknown-register"], "failing.psl": ["failing-test"], "closed.psl": ["unknown-register"]}


def found(bench: Workbench) -> dict[str, list[str]]:
    """The codes in FILES that each file has, including a closed file."""
    code = """return Object.fromEntries(vscode.languages.getDiagnostics().map(([{ path }, found]) =>
                [path.split('/').pop(), found.map((it) => it.code.value ?? it.code)]))"""
    expected = {code for codes in FILES.values() for code in codes}
    return {file: [each for each in codes if each in expected] for file, codes in bench.evaluate(code).items()}


def open_all(bench: Workbench):
    bench.write("closed.psl", BROKEN)
    bench.open("broken.psl", BROKEN)
    bench.open("failing.psl", FAILING)
    until(lambda: found(bench), lambda seen: seen == FILES)


def kill(bench: Workbench) -> int:
    [pid] = until(bench.servers, lambda pids: len(pids) == 1)
    os.kill(pid, signal.SIGKILL)
    return pid


def kill_and_wait(bench: Workbench):
    """Kills the server, then waits for a new one and its diagnostics."""
    killed = kill(bench)
    until(bench.servers, lambda pids: pids and killed not in pids)
    until(lambda: found(bench), lambda seen: seen == FILES)


@pytest.fixture
def bench(bench: Workbench):
    # A restart resets the count of crashes.
    bench.evaluate("await vscode.commands.executeCommand('psl.restartServer')")
    bench.ready()
    return bench


def test_the_diagnostics_of_all_files_are_back_after_a_crash(bench: Workbench):
    open_all(bench)
    kill_and_wait(bench)


def test_the_diagnostics_of_a_deleted_file_are_cleared_when_its_editor_closes(bench: Workbench):
    bench.write("gone.psl", BROKEN)
    # A document shown through the API stays open for minutes.
    bench.evaluate("await vscode.commands.executeCommand('vscode.open', uri('gone.psl'))")
    until(lambda: found(bench).get("gone.psl"), lambda codes: codes == ["unknown-register"])
    (bench.folder / "gone.psl").unlink()
    bench.evaluate("await vscode.commands.executeCommand('workbench.action.closeActiveEditor')")
    until(lambda: found(bench).get("gone.psl", []), lambda codes: codes == [])


def test_after_many_crashes_a_restart_is_offered(bench: Workbench):
    open_all(bench)
    for _ in range(4):
        kill_and_wait(bench)
    kill(bench)
    offer = bench.notification("ended 5 times")
    offer.wait_for()
    assert "not running" in bench.status()
    assert bench.servers() == []
    offer.get_by_role("button", name="Restart Server").click()
    bench.ready()
    until(lambda: found(bench), lambda seen: seen == FILES)


def test_a_wrong_path_is_reported_with_a_button_to_the_setting(bench: Workbench):
    with bench.setting("psl.path", "/nowhere/psl"):
        message = bench.notification("cannot run '/nowhere/psl': file not found")
        message.wait_for()
        assert "not running" in bench.status()
        message.get_by_role("button", name="Open Setting").click()
        bench.page.locator(".settings-editor .setting-item", has_text="Psl: Path").wait_for()
    bench.ready()


def test_a_missing_server_is_reported_with_a_button_to_try_again(bench: Workbench):
    [binary] = (bench.home / "extensions").glob("psl-tools.psl-*/server/psl")
    moved = binary.rename(binary.with_name("elsewhere"))
    try:
        bench.evaluate("void vscode.commands.executeCommand('psl.restartServer')")
        message = bench.notification("cannot run 'psl': file not found")
        message.wait_for()
        assert "not running" in bench.status()
    finally:
        moved.rename(binary)
    message.get_by_role("button", name="Try Again").click()
    bench.ready()


def test_words_have_colors_before_the_server_starts(bench: Workbench, tmp_path):
    slow, awaited = tmp_path / "psl", tmp_path / "go"
    slow.write_text(f'#!/bin/sh\n[ "$1" = --version ] || until [ -e {awaited} ]; do sleep 0.1; done\nexec {PSL} "$@"\n')
    slow.chmod(0o755)
    line = "where prev_regon[N] == XQ and region[N]"
    with bench.setting("psl.path", str(slow)):
        until(bench.status, lambda label: "starting" in label)
        bench.open("broken.psl", BROKEN)
        bench.put_cursor(line)
        colors = until(lambda: [bench.color(word, line) for word in ("where", "region", "XQ")], all)
        assert len(set(colors)) == 3
        assert "starting" in bench.status()
        assert found(bench) == {}
        awaited.touch()
        bench.diagnostics("broken.psl", lambda codes: "unknown-register" in codes)
    bench.ready()
