"""The files built by scripts/package, used on a machine without anything else."""

import hashlib
import json
import re
import runpy
import shutil
import sys
import zipfile
from pathlib import Path

import pytest
from command import execute
from lsp_client import LspClient
from neovim import NEW, neovim
from pargen import SWAP
from paths import PARGEN, PSL, ROOT

DIST = PSL.parents[1]
SCRIPT = runpy.run_path(str(ROOT / "scripts/package"))


def packed(pattern: str) -> Path:
    found = list(DIST.glob(pattern))
    assert len(found) == 1, f"expected one {pattern}, found {found}"
    return found[0]


def unpack(archive: Path, place: Path):
    execute("tar", "xzf", archive, "-C", place)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """The archive of psl, unpacked."""
    place = tmp_path_factory.mktemp("unpacked")
    unpack(packed("psl-*.tar.gz"), place)
    (unpacked,) = place.iterdir()
    return unpacked


def psl(folder: Path, *arguments) -> str:
    """The output of the unpacked binary with an empty environment."""
    return execute(folder / "psl", *arguments, cwd=folder, env={}, timeout=60).stdout


def test_the_unpacked_binary_runs_alone(folder):
    version = psl(folder, "--version")
    assert version.startswith("psl ") and version.split()[1] in folder.name
    assert psl(folder, "run", "--prompt", SWAP) == "K L V F G H .\n"
    page = psl(folder, "explore", PARGEN, "-o", "-")
    assert page.startswith("<!doctype html>") and "psl-data" in page
    assert psl(folder, "explain", "non-causal").startswith("# non-causal\n")


@pytest.mark.long
def test_the_archive_has_the_book(folder):
    if not (ROOT / ".tools/bin/mdbook").exists():
        pytest.skip("mdBook is missing: tests/run installs it")
    assert "book/index.html" in (folder / "README.txt").read_text()
    pages = re.findall(r"\]\(([^)]+)\.md\)", (ROOT / "docs/SUMMARY.md").read_text())
    assert len(pages) > 80
    files = [(folder / "book/docs" / f"{page}.html").resolve() for page in pages]
    assert (folder / "book/index.html").exists() and [file for file in files if not file.exists()] == []


def test_every_page_that_psl_explain_names_is_in_the_binary(folder):
    words = re.findall(r"^  (\S+)  ", psl(folder, "explain"), re.MULTILINE)
    texts = [psl(folder, "explain", word) for word in words]
    named = {page for text in texts for page in re.findall(r"`psl explain (reference/[\w-]+)`", text)}
    assert len(words) > 100 and len(named) > 5
    for page in named:
        assert psl(folder, "explain", page) == (ROOT / f"docs/{page}.md").read_text()


def test_the_instructions_for_a_release(tmp_path):
    page = (ROOT / "docs/install.md").read_text()
    steps = page.split("On Linux, in the folder with these files")[1].split("```sh\n")[1].split("```")[0]
    release, home = tmp_path / "release", tmp_path / "home"
    shutil.copytree(DIST, release, ignore=lambda folder, names: [name for name in names if (DIST / name).is_dir()])
    environment = {"HOME": str(home), "PATH": f"{home}/.local/bin:/usr/bin:/bin"}
    assert "psm = qkvm = dat" in execute("bash", "-exc", steps, cwd=release, env=environment).stdout
    assert (home / ".local/share/man/man1/psl-check.1").exists()
    assert (home / ".local/share/bash-completion/completions/psl").exists()


def test_the_unpacked_server_answers(folder):
    with LspClient(folder / "psl", "lsp", cwd=folder, env={}) as client:
        assert client.initialize().server_info.name == "psl"
        assert client.finish() == 0


@pytest.mark.long
def test_the_binary_is_static_stripped_and_within_its_size_limit(folder):
    read = lambda option: execute("readelf", option, "-W", folder / "psl").stdout
    assert "NEEDED" not in read("-d") and "INTERP" not in read("-l")
    assert ".text" in read("-S") and ".symtab" not in read("-S") and ".debug_info" not in read("-S")
    assert (folder / "psl").stat().st_size < 15_000_000
    binary = (folder / "psl").read_bytes()
    assert str(Path.home()).encode() not in binary and str(ROOT).encode() not in binary


def test_every_command_has_a_page_that_renders_without_a_warning(folder):
    if not shutil.which("groff"):
        pytest.skip("groff is missing: apt-get install groff-base")
    pages = {page.name: page for page in (folder / "man/man1").iterdir()}
    listed = psl(folder, "--help").split("Commands:\n")[1].split("\n\n")[0]
    commands = re.findall(r"^  (\w+) ", listed, re.MULTILINE)
    assert {f"psl-{command}.1" for command in commands if command != "help"} < pages.keys()
    for name, page in pages.items():
        rendered = execute("groff", "-man", "-Tutf8", "-P-cbou", "-ww", page)
        assert rendered.stderr == "", name
        assert "SYNOPSIS" in rendered.stdout, name


@pytest.mark.parametrize("shell, name", [("bash", "psl.bash"), ("zsh", "_psl"), ("fish", "psl.fish")])
def test_the_completions_are_valid_scripts(folder, shell, name):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is missing: apt-get install {shell}")
    assert execute(shell, "-n", folder / "completions" / name).stderr == ""
    assert (folder / "completions" / name).stat().st_size > 1000


def crates(package: str, target: str) -> set[tuple[str, str]]:
    """The external crates that a crate of ours is built from, with their versions."""
    tree = f"cargo tree --locked -p {package} -e normal --prefix none -f {{p}} --target {target}".split()
    listed = execute(*tree, cwd=ROOT).stdout
    return set(re.findall(r"^(\S+) v(\S+)(?: \(proc-macro\))?(?: \(\*\))?$", listed, re.MULTILINE))


def unlisted(packages: set[tuple[str, str]], licenses: str) -> list[tuple[str, str]]:
    return [package for package in packages if f"\n{package[0]} {package[1]}: " not in licenses]


def test_every_dependency_is_among_the_licenses(folder):
    linked = crates("psl-cli", folder.name.split("-", 2)[2])
    assert len(linked) > 80
    licenses = (folder / "THIRD-PARTY-LICENSES.txt").read_text()
    page = {(package["name"], package["version"]) for package in SCRIPT["in_page"]()}
    assert {"preact", "@preact/signals"} <= {name for name, _ in page}
    assert unlisted(linked | page, licenses) == []
    assert "Permission is hereby granted" in licenses and "Mozilla Public License Version 2.0" in licenses


@pytest.mark.long
def test_the_wheel_has_the_binary_of_the_archive_and_all_licenses(folder):
    with zipfile.ZipFile(packed("*.whl")) as wheel:
        names = wheel.namelist()
        (command,) = (name for name in names if name.endswith(".data/scripts/psl"))
        assert wheel.getinfo(command).external_attr >> 16 & 0o777 == 0o755
        assert wheel.read(command) == (folder / "psl").read_bytes()
        (licenses,) = {name.rpartition("/")[0] for name in names if "LICENSE" in name}
        assert {Path(name).name for name in names if name.startswith(licenses)} == {
            "LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES.txt"
        }
        text = wheel.read(f"{licenses}/THIRD-PARTY-LICENSES.txt").decode()
        built = b"".join(wheel.read(name) for name in names)
    linked = crates("psl-python", folder.name.split("-", 2)[2]) | crates("psl-cli", folder.name.split("-", 2)[2])
    assert "pyo3" in {name for name, _ in linked} and unlisted(linked, text) == []
    assert str(Path.home()).encode() not in built and str(ROOT).encode() not in built
    assert packed("*.whl").stat().st_size < 12_000_000


@pytest.mark.parametrize("target", SCRIPT["VSCODE_PLATFORMS"])
def test_every_dependency_has_its_license_on_every_target(target):
    linked = SCRIPT["linked"](SCRIPT["metadata"](target), "psl-cli", "psl-python")
    assert len(linked) > 80 and SCRIPT["licenses"](linked)


def test_a_dependency_without_a_license_is_refused(tmp_path):
    package = {"name": "a", "version": "1.0.0", "license": "MIT", "manifest_path": str(tmp_path / "Cargo.toml")}
    with pytest.raises(SystemExit, match=r"a 1\.0\.0 \(MIT\) has no license file"):
        SCRIPT["licenses"]([package])


def test_a_release_needs_the_owner_of_the_repository(monkeypatch, tmp_path):
    package = {"name": "psl-cli", "version": "1.0.0", "repository": "https://github.com/OWNER/tools"}
    meta = {"packages": [package]}
    monkeypatch.setitem(SCRIPT["main"].__globals__, "metadata", lambda target: meta)
    monkeypatch.setattr(sys, "argv", ["package", "--output", str(tmp_path)])
    with pytest.raises(SystemExit, match="OWNER in place of its owner.*RELEASE.md.*--trial"):
        SCRIPT["main"]()
    assert SCRIPT["described"](meta, trial=True) == "1.0.0"
    package["repository"] = "https://github.com/somebody/psl"
    assert SCRIPT["described"](meta, trial=False) == "1.0.0"
    assert "--trial" in (ROOT / "tests/run").read_text()
    assert "--trial" not in (ROOT / ".github/workflows/release.yml").read_text()


def test_the_checksums_are_those_of_the_files():
    lines = (DIST / "SHA256SUMS").read_text().splitlines()
    sums = {name: hash for hash, name in (line.split("  ") for line in lines)}
    assert sums == {name: hashlib.sha256((DIST / name).read_bytes()).hexdigest() for name in sums}
    files = sorted(path.name for path in DIST.iterdir() if path.is_file() and path.name != "SHA256SUMS")
    assert sorted(sums) == files and {".gz", ".vsix"} <= {Path(name).suffix for name in files}


@pytest.mark.long
def test_the_playground_is_a_folder_and_a_file(tmp_path):
    archive = packed("psl-playground-*.zip")
    with zipfile.ZipFile(archive) as entries:
        entries.extractall(tmp_path)
    unpacked = tmp_path / archive.stem
    names = {file.name for file in unpacked.iterdir()}
    assert {"index.html", "sw.js", "psl.wasm", "explorer.html", "THIRD-PARTY-LICENSES.txt", "LICENSE-MIT"} <= names
    licenses = (unpacked / "THIRD-PARTY-LICENSES.txt").read_text()
    assert "@codemirror/view 6." in licenses and "serde_json 1." in licenses and "esbuild" not in licenses
    version = archive.stem.removeprefix("psl-playground-")
    page = packed("psl-playground-*.html")
    assert page.name == f"psl-playground-{version}.html" and version in page.read_text()
    assert page.read_text().endswith(f"{licenses}-->\n")


def test_archives_are_reproducible(tmp_path, folder):
    again = tmp_path / "again.tar.gz"
    SCRIPT["write_tar"](folder, again)
    assert again.read_bytes() == packed("psl-*.tar.gz").read_bytes()


def test_an_archive_for_windows_has_the_same_files(tmp_path, folder):
    archive = tmp_path / "psl.zip"
    SCRIPT["write_zip"](folder, archive)
    with zipfile.ZipFile(archive) as entries:
        assert entries.testzip() is None
        assert entries.read(f"{folder.name}/psl") == (folder / "psl").read_bytes()
        assert len(entries.namelist()) == sum(path.is_file() for path in folder.rglob("*"))


def test_the_extension_includes_the_binary(folder):
    with zipfile.ZipFile(packed("psl-*.vsix")) as vsix:
        binary = vsix.getinfo("extension/server/psl")
        assert binary.external_attr >> 16 & 0o777 == 0o755
        assert vsix.read(binary) == (folder / "psl").read_bytes()
        assert vsix.read("extension/server/THIRD-PARTY-LICENSES.txt") == (folder / "THIRD-PARTY-LICENSES.txt").read_bytes()
        manifest = json.loads(vsix.read("extension/package.json"))
        identity = re.search(r'<Identity [^>]*TargetPlatform="([\w-]+)"', vsix.read("extension.vsixmanifest").decode())
    assert folder.name.startswith(f"psl-{manifest['version']}-"), "the extension's version is that of psl"
    assert packed("psl-*.vsix").name == f"psl-{manifest['version']}-{identity[1]}.vsix"


def test_the_neovim_plugin_attaches_the_server(tmp_path, folder):
    start = tmp_path / ".local/share/nvim/site/pack/psl/start"
    start.mkdir(parents=True)
    unpack(packed("psl.nvim-*.tar.gz"), start)
    assert {"LICENSE-APACHE", "LICENSE-MIT"} < {path.name for path in (start / "psl.nvim").iterdir()}
    found = "vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end)"
    attached = "#vim.lsp.get_clients({ bufnr = 0, name = 'psl' })"
    run = neovim(NEW, tmp_path, PARGEN, f"+lua print({found}, {attached})", "+qall!", path=str(folder))
    assert (run.returncode, run.stderr.strip()) == (0, "true 1"), run.stdout
