"""From the packed extension to a running editor, with a new profile."""

import json
import time

import pytest
from paths import INDUCTION
from workbench import Workbench, until

BROKEN = INDUCTION.read_text().replace("prev_symbol[n] ==", "prev_symbl[n] ==")


@pytest.mark.alone
def test_the_package_is_installed_and_finds_an_error(package, tmp_path, measure):
    start = time.monotonic()

    def passed() -> str:
        return f"{time.monotonic() - start:.1f} s"

    times = {}
    bench = Workbench(tmp_path, package)
    times["installed"] = passed()
    bench.write("broken.psl", BROKEN)
    with bench.running():
        times["workbench"] = passed()
        bench.open("broken.psl")
        until(lambda: bench.color("registers", "registers: {symbol"))
        times["first color"] = passed()
        bench.diagnostics("broken.psl", lambda codes: "unknown-register" in codes)
        times["first diagnostics"] = passed()
    size = f"{package.stat().st_size / 1e6:.1f} MB"
    measure(f"from {package.name} ({size}): " + ", ".join(f"{name} after {when}" for name, when in times.items()))


def test_the_path_setting_of_a_folder_is_ignored_until_it_is_trusted(package, tmp_path):
    trust = {"security.workspace.trust.enabled": True, "security.workspace.trust.startupPrompt": "never"}
    bench = Workbench(tmp_path, package, **trust)
    bench.write(".vscode/settings.json", json.dumps({"psl.path": "/nowhere/psl"}))
    bench.write("broken.psl", BROKEN)
    with bench.running():
        assert bench.evaluate("return vscode.workspace.isTrusted") is False
        bench.open("broken.psl")
        bench.diagnostics("broken.psl", lambda codes: "unknown-register" in codes)
        bench.choose("Workspaces: Manage Workspace Trust")
        bench.page.locator(".workspace-trust-editor").get_by_role("button", name="Trust", exact=True).click()
        bench.notification("cannot run '/nowhere/psl': file not found").wait_for()
