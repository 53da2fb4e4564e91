"""The crates as packaged for a registry."""

import hashlib
import json
import os
import re
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from command import execute
from paths import PARGEN, ROOT

CRATES = """
    psl-syntax psl-runtime psl-program psl-render psl-debug psl-search psl-ide psl-explorer psl-tasks psl-host psl-lsp psl-dap
    psl-cli tree-sitter-psl
""".split()
PUBLISH = "cargo publish --workspace --locked --dry-run --allow-dirty".split()
PAGE = ROOT / "web/dist/page.html"
VERSION = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]


def run(*command, cwd: Path, **environment: str) -> str:
    return execute(*command, cwd=cwd, env=os.environ | environment).stdout


@pytest.fixture(scope="module")
def packed(tmp_path_factory) -> dict[str, Path]:
    """The `cargo publish` package of each crate."""
    if not PAGE.exists():
        pytest.skip("the explorer's page is missing: scripts/explorer builds it")
    place = tmp_path_factory.mktemp("published")
    run(*PUBLISH, "--no-verify", "--target-dir", place, cwd=ROOT)
    return {file.stem.rsplit("-", 1)[0]: file for file in place.rglob("*.crate")}


@pytest.fixture(scope="module")
def published(packed) -> dict[str, dict[str, bytes]]:
    """The files of each crate in its package."""
    crates = {}
    for crate, file in packed.items():
        with tarfile.open(file) as archive:
            held = {Path(entry.name): archive.extractfile(entry).read() for entry in archive if entry.isfile()}
        crates[crate] = {path.relative_to(path.parts[0]).as_posix(): text for path, text in held.items()}
    return crates


def test_every_crate_can_be_published(published):
    assert sorted(published) == sorted(CRATES)


@pytest.mark.parametrize("crate", CRATES)
def test_a_crate_has_its_description_and_its_licenses(published, crate):
    files = published[crate]
    package = tomllib.loads(files["Cargo.toml"].decode())["package"]
    assert package["description"] and package["license"] == "MIT OR Apache-2.0"
    for name in ["LICENSE-APACHE", "LICENSE-MIT"]:
        assert files[name] == (ROOT / name).read_bytes()
    assert files[package["readme"]] == (ROOT / "README.md").read_bytes()
    assert package["repository"] == package["homepage"] and package["repository"].startswith("https://")
    # The registry refuses others.
    assert 1 <= len(package["keywords"]) <= 5 and 1 <= len(package["categories"]) <= 5
    assert all(re.fullmatch(r"[a-z][\w+-]{0,19}", keyword) for keyword in package["keywords"])


def test_a_crate_contains_its_files_from_other_folders(published):
    pages = {f"diagnostics/{page.name}": page.read_bytes() for page in (ROOT / "docs/diagnostics").glob("*.md")}
    assert len(pages) > 40 and pages.items() <= published["psl-syntax"].items()
    reference = {f"reference/{page.name}": page.read_bytes() for page in (ROOT / "docs/reference").glob("*.md")}
    assert len(reference) > 10 and reference.items() <= published["psl-ide"].items()
    examples = {str(file.relative_to(ROOT)): file.read_bytes() for file in (ROOT / "examples").rglob("*") if file.is_file()}
    assert "examples/pargen.psl" in examples and examples.items() <= published["psl-cli"].items()
    assert published["psl-cli"]["page.html"] == PAGE.read_bytes()


def test_crates_contain_no_tests_or_benches(published):
    held = [f"{crate}/{name}" for crate in CRATES for name in published[crate]]
    assert [name for name in held if "/tests/" in name or "/benches/" in name or name.endswith(".snap")] == []


@pytest.fixture(scope="module")
def build() -> Iterator[Path]:
    """The folder for what is compiled from packed crates, gigabytes that pytest would keep."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_every_crate_compiles_from_its_package(packed, build):
    run(*PUBLISH, "--target-dir", build, cwd=ROOT)


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_packed_crates_install_psl_with_the_explorer(packed, build, tmp_path):
    registry = build / "registry"
    run("cargo", "vendor", "--locked", "--versioned-dirs", registry, cwd=ROOT)
    for crate, file in packed.items():
        with tarfile.open(file) as archive:
            archive.extractall(registry, filter="data")
        sums = {"package": hashlib.sha256(file.read_bytes()).hexdigest(), "files": {}}
        (registry / f"{crate}-{VERSION}/.cargo-checksum.json").write_text(json.dumps(sums))
    home = tmp_path / "home"
    home.mkdir()
    source = f'[source.crates-io]\nreplace-with = "packed"\n\n[source.packed]\ndirectory = "{registry}"\n'
    (home / "config.toml").write_text(source)
    # Without optimization, it compiles in less time.
    install = ["cargo", "install", "psl-cli", "--locked", "--offline", "--debug", "--root", tmp_path, "--target-dir", build]
    run(*install, cwd=tmp_path, CARGO_HOME=str(home))
    psl = tmp_path / "bin/psl"
    assert run(psl, "--version", cwd=tmp_path) == f"psl {VERSION}\n"
    assert "psm = qkvm = dat" in run(psl, "demo", cwd=tmp_path)
    page, built = run(psl, "explore", PARGEN, "-o", "-", cwd=tmp_path), PAGE.read_text()
    middle = len(built) // 2
    assert page.startswith("<!doctype html>") and built[middle : middle + 10_000] in page
