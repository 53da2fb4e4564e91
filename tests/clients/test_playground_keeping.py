"""The page of the playground keeps what its reader writes, and opens links and files that are long, broken or hostile."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import expect
from workbench import until


def test_what_is_typed_before_closing_is_there_again(tab):
    first = tab()
    for word in ("# one", " two", " three"):
        first.append(word)
    first.leave()
    second = tab()
    assert second.text().endswith("# one two three")
    second.append(" four")
    second.page.reload()
    second.settle()
    assert second.text().endswith("# one two three four")


def test_two_tabs_keep_both_programs(tab):
    first = tab()
    first.append("# one")
    first.page.wait_for_timeout(400)
    second = tab()
    expect(first.notices).to_contain_text("open in another tab")
    first.append(" first")
    expect(second.notices).to_contain_text("Another tab has changed")
    second.append(" second")
    expect(second.notices).to_contain_text("(other tab)")
    assert second.text().endswith("# one second") and first.text().endswith("# one first")
    first.leave()
    second.page.reload()
    second.settle()
    assert second.text().endswith("# one second")


def digits(length: int) -> str:
    """A comment that is hard to compress."""
    return "# " + "".join(random.Random(1).choices("0123456789", k=length)) + "\n"


def test_a_link_at_the_limit_opens_the_same_program(tab):
    first = tab()
    first.write(digits(20_000))
    first.button("Share").click()
    expect(first.dialog).to_contain_text("too long for a link, which has at most 8,000 characters")
    with first.page.expect_download() as download:
        first.dialog.get_by_role("button", name="Save a file").click()
    assert download.value.path().read_text() == digits(20_000)
    first.page.keyboard.press("Escape")
    first.write(digits(11_500))
    link = first.share()
    assert 7_000 < len(link.partition("#")[2]) < 8_000
    second = tab(link.removeprefix(first.server))
    assert second.text() == digits(11_500)


BROKEN = {
    "cut": ("#psl=1.q1YqVrJSSlTSUSpRslJK", "incomplete"),
    "not base64": ("#psl=1.???", "incomplete"),
    "empty": ("#psl=", "incomplete"),
    "newer": ("#psl=7.AAAA", "newer version"),
    "long": ("#psl=1." + "A" * 9_000, "8,000 characters"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_link_says_what_is_wrong(tab, name):
    fragment, why = BROKEN[name]
    page = tab(fragment)
    expect(page.notices).to_contain_text(why)
    # The page works on.
    page.append("# mine")
    assert page.text().endswith("# mine")


def test_a_megabyte_is_pasted_and_kept(tab):
    first = tab()
    text = "# a line of text that many have pasted\n" * 26_000
    assert len(text) > 1_000_000
    first.write(text)
    until(lambda: first.page.evaluate("document.querySelector('#editor .cm-content').textContent.length > 100"))
    first.append("# the end")
    first.leave()
    assert tab().text() == text + "# the end"


def test_a_file_is_dragged_in(tab, tmp_path: Path):
    page = tab()
    page.drop("dropped.psl", "# dropped\n")
    expect(page.page).to_have_title("dropped – PSL playground")
    assert page.text() == "# dropped\n"
    page.drop("image.png", "a\0b")
    expect(page.notices).to_contain_text("image.png is not text")
    assert page.text() == "# dropped\n"
