"""The crates as packaged for a registry."""

import subprocess
import tarfile
from pathlib import Path

import pytest
from paths import ROOT

CRATES = """
    psl-syntax psl-runtime psl-program psl-record psl-search psl-ide psl-explorer psl-tasks psl-host psl-render psl-lsp psl-dap
    psl-cli tree-sitter-psl
""".split()


@pytest.fixture(scope="module")
def published(tmp_path_factory) -> dict[str, dict[str, bytes]]:
    """The files of each crate in its `cargo publish` package."""
    place = tmp_path_factory.mktemp("published")
    publish = "cargo publish --workspace --locked --dry-run --no-verify --allow-dirty --target-dir".split()
    run = subprocess.run([*publish, place], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    crates = {}
    for file in place.rglob("*.crate"):
        with tarfile.open(file) as archive:
            held = {Path(entry.name): archive.extractfile(entry).read() for entry in archive if entry.isfile()}
        crates[file.stem.rsplit("-", 1)[0]] = {path.relative_to(path.parts[0]).as_posix(): text for path, text in held.items()}
    return crates


def test_every_crate_can_be_published(published):
    assert sorted(published) == sorted(CRATES)


@pytest.mark.parametrize("crate", CRATES)
def test_a_crate_has_a_description_and_its_licenses(published, crate):
    manifest = published[crate]["Cargo.toml"].decode()
    assert "\ndescription = " in manifest and 'license = "MIT OR Apache-2.0"' in manifest
    for name in ["LICENSE-APACHE", "LICENSE-MIT"]:
        assert published[crate][name] == (ROOT / name).read_bytes()


def test_a_crate_contains_its_files_from_other_folders(published):
    pages = {f"diagnostics/{page.name}": page.read_bytes() for page in (ROOT / "docs/diagnostics").glob("*.md")}
    assert len(pages) > 40 and pages.items() <= published["psl-syntax"].items()
    reference = {f"reference/{page.name}": page.read_bytes() for page in (ROOT / "docs/reference").glob("*.md")}
    assert len(reference) > 10 and reference.items() <= published["psl-ide"].items()
    examples = {f"examples/{example.name}": example.read_bytes() for example in (ROOT / "examples").iterdir()}
    assert "examples/pargen.psl" in examples and examples.items() <= published["psl-cli"].items()


def test_crates_contain_no_tests_or_benches(published):
    held = [f"{crate}/{name}" for crate in CRATES for name in published[crate]]
    assert [name for name in held if "/tests/" in name or "/benches/" in name or name.endswith(".snap")] == []
