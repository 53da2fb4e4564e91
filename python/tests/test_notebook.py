"""What Jupyter shows of programs, runs and diagnostics, and the explorer's page. tests_long shows it in JupyterLab."""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import psl
from psl import _widget, html, notebook
from psl._psl import explorer_page

EXAMPLES = Path(__file__).parents[2] / "examples"
HEAD = "registers: {symbol: 's', position: 'p'}\nconstants: {A, B, X: '<b>&'}\n"
COPY = HEAD + "# A & <i>B</i>\nwhere symbol[N] == A:\n    symbol[N] = B\n"


class Parts(HTMLParser):
    """The tags and the text of an HTML. Fails if a tag is not closed."""

    def __init__(self, text: str):
        super().__init__()
        self.open, self.tags, self.text = [], set(), ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1] != "style":
            self.text += data


def pieces(text: str, kind: str) -> list[str]:
    return re.findall(rf'<span class="psl-{kind}">(.*?)</span>', text)


def test_a_program_is_colored_and_escaped():
    shown = psl.Program(COPY)._repr_html_()
    parts = Parts(shown)
    assert parts.text.startswith(COPY) and parts.tags <= {"div", "style", "pre", "span", "table", "thead", "tbody", "tr", "th", "td", "br", "small", "code"}
    assert pieces(shown, "keyword") == ["registers", "constants", "where"]
    assert pieces(shown, "comment") == ["# A &amp; &lt;i&gt;B&lt;/i&gt;"]
    assert pieces(shown, "property") == ["symbol"] and pieces(shown, "typeParameter") == ["N", "N"]
    assert "unused-constant" in parts.text and "<i>" not in shown


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.psl")), ids=lambda path: path.stem)
def test_the_pieces_of_each_example_are_its_text(path):
    program = psl.load(path)
    assert Parts(program._repr_html_()).text.startswith(program.text)


def test_the_colors_follow_the_table_of_the_house():
    table = (EXAMPLES.parent / "grammars/colors.toml").read_text()
    tokens = {token.partition(".")[0] for token in re.findall(r'^token = "(.*)"', table, re.MULTILINE)}
    # n and read registers have the color of text.
    assert set(html.COLORS) | {"parameter", "variable"} == tokens


def test_a_run_shows_its_continuation_and_changes():
    run = psl.Program(COPY).run("A <b>&", max_new=1)
    assert Parts(run._repr_html_()).text == "<b>& reaches its maximum length"
    recorded = psl.Program(COPY).run("A <b>&", max_new=1, record=True)
    text = Parts(recorded._repr_html_()).text
    assert text == "<b>& reaches its maximum lengthrowlayercellregisterbeforeafter111symbolAB"


def test_a_long_run_says_how_many_changes_are_left_out():
    run = psl.load(EXAMPLES / "pargen.psl").run("Q a V b A b V a . Q c V d A", record=True)
    shown = run._repr_html_()
    changes = len(run.changes.row)
    assert shown.count("<tr>") == 1 + html.CHANGES < changes
    assert f"{changes - html.CHANGES} more in " in Parts(shown).text and len(shown) < 10_000


def test_a_long_continuation_says_how_many_symbols_are_left_out():
    run = psl.Program(COPY).run("A", max_new=1300)
    assert Parts(run._repr_html_()).text == "B " * 199 + "B … 1,100 more symbols, reaches its maximum length"


def test_a_run_in_blocks_shows_passes():
    run = psl.load(EXAMPLES / "parity.psl").run("1 0 1", record=True)
    assert "rowlayerpasscellregister" in Parts(run._repr_html_()).text


def test_diagnostics_and_results_are_lists_with_tables():
    program = psl.Program('//@ max-new 1\n//@ test "A" => "<b>&"\n//@ test good "A" => "B"\n' + COPY)
    found, results = program.check(), program.test()
    assert isinstance(found, list) and found == list(found) and isinstance(results, list)
    text = Parts(results._repr_html_()).text
    assert text == "linetestoutcomeexpectedgotdifference2failed<b>&Bsymbol 1 is B, not <b>&3goodpassedBB"
    assert "difference" not in Parts(program.test("good")._repr_html_()).text
    assert "2:18warningfailing-test" in Parts(found._repr_html_()).text
    assert Parts(psl.Diagnostics()._repr_html_()).text == "no diagnostics"
    assert Parts(psl.TestResults()._repr_html_()).text == "no tests"


def data(page: str) -> dict:
    return json.loads(re.search(r'id="psl-data">(.*?)</script>', page)[1])


@pytest.fixture
def built():
    """Skips tests of the page in a module that lacks it, which has a test of its own."""
    try:
        explorer_page(psl.Program(COPY).run("A", record=True))
    except psl.Error as error:
        pytest.skip(str(error))


def test_the_page_opens_on_the_run(built):
    program = psl.load(EXAMPLES / "induction.psl")
    opened = data(explorer_page(program.run("one two three . one", record=True)))
    assert (opened["name"], opened["text"], opened["open"]) == ("induction.psl", program.text, {"test": 0})
    opened = data(explorer_page(program.run("x y x", record=True, ablate=[2], max_new=2, stop="y")))
    assert (opened["open"], opened["ablated"]) == ("x y x", [2])
    assert opened["text"] == program.text + '//@ max-new 2\n//@ stop "y"\n'
    opened = data(explorer_page(program.run("x y x", record=True, set={(2, 3, "symbol"): "y"})))
    assert opened["set"] == [{"layer": 2, "pass": None, "cell": 3, "register": "symbol", "value": "y"}]
    opened = data(explorer_page(program.run([{"symbol": "x"}], record=True)))
    assert opened["open"] == {"cells": '[{"symbol":"x"}]'} and opened["text"] == program.text


def test_the_page_needs_a_record():
    with pytest.raises(psl.Error, match="no record"):
        explorer_page(psl.Program(COPY).run("A"))


def test_a_frame_holds_the_page_as_one_attribute():
    frame = html.frame("<p title='a'>\"&amp;\"</p>", "psl-1")
    assert "srcdoc='<p title=&#39;a&#39;>\"&amp;amp;\"</p>'" in frame and 'name="psl-1"' in frame
    assert Parts(frame).tags == {"div", "iframe"}


def test_a_missing_anywidget_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    _widget.widget_class.cache_clear()
    with pytest.raises(psl.Error, match="needs anywidget: `pip install anywidget`"):
        psl.explore(psl.Program(COPY).run("A", record=True))


def test_names_of_tests_and_registers_are_completed():
    program = psl.load(EXAMPLES / "induction.psl")
    names = {"p": program, "run": program.run("a b a", record=True), "plain": program.run("a b a"), "other": "text"}
    check = lambda text: notebook.completions(text, names)
    assert check('p.test("') == check("x = [p.test(name='re") == ["repeat", "latest", "next", "double", "again"]
    assert check('run.where_from("sy') == ["symbol", "position", "parse", "eop", "prev_symbol"]
    for other in ['p.test("repeat")', 'plain.where_from("', 'other.test("', 'none.test("', 'p.run("', 'run.test("', 'p.test("a", "']:
        assert check(other) == []
