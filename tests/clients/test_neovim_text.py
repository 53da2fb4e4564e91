"""The plugin for Neovim without the language server: highlighting and indentation."""

import json

from colors import LAYOUTS, TABLE, every_program, shown_words
from command import formatted
from neovim import NEW, both, home_with_plugin, neovim
from paths import ROOT

SCRIPT = ROOT / "tests/clients/nvim_text.lua"

GROUPS = {"cell-n": "pslCellRead", "cell-N": "pslCellUpdated"}
GROUPS = {row: GROUPS.get(row, "psl" + row.title().replace("-", "")) for row in TABLE}


def read(nvim, tmp_path, program) -> dict:
    out = tmp_path / "out.json"
    run = neovim(nvim, home_with_plugin(tmp_path), program, "-c", f"luafile {SCRIPT}", "-c", "cquit", OUT=str(out))
    assert run.returncode == 0, run.stderr
    return json.loads(out.read_text())


@both
@every_program
def test_highlighting_agrees_with_the_server(nvim, program, tmp_path):
    shown = read(nvim, tmp_path, program)
    assert (shown["filetype"], shown["syntax"]) == ("psl", "psl")

    def target(group):
        while group.startswith("psl"):
            group = shown["links"][group]
        return group

    words = shown_words(program, shown["lines"], "groups")
    assert [word for word in words if {target(group) for group in word.shown} != {TABLE[word.row]["vim"]}] == []


@both
def test_the_highlight_groups_link_to_those_of_the_table(nvim, tmp_path):
    links = read(nvim, tmp_path, LAYOUTS[0])["links"]
    ours = {group: target for group, target in links.items() if group.startswith("psl") and not target.startswith("psl")}
    assert ours == {GROUPS[row]: columns["vim"] for row, columns in TABLE.items()}


def test_the_semantic_tokens_link_to_the_captures_of_the_table(tmp_path):
    out = tmp_path / "out.json"
    write = f"+lua io.open('{out}', 'w'):write(vim.json.encode(vim.api.nvim_get_hl(0, {{}})))"
    neovim(NEW, home_with_plugin(tmp_path), LAYOUTS[0], write, "+qall!")
    links = {group: found["link"] for group, found in json.loads(out.read_text()).items() if "link" in found}
    kinds = {token: "typemod" if "." in token else "type" for token in (columns["token"] for columns in TABLE.values())}
    ours = {group: link for group, link in links.items() if group.startswith("@lsp.") and group.endswith(".psl")}
    assert ours == {
        f"@lsp.{kinds[columns['token']]}.{columns['token']}.psl": f"@{columns['nvim']}.psl" for columns in TABLE.values()
    }


@both
@every_program
def test_indentation_keeps_a_formatted_program(nvim, program, tmp_path):
    lines = read(nvim, tmp_path, program)["lines"]
    wrong = [line["text"] for line in lines if line["text"] and line["indent"] != line["expected"]]
    assert len(lines) > 10 and not wrong


@both
def test_the_middle_of_a_long_program_is_highlighted_independently(nvim, tmp_path):
    program = tmp_path / "long.psl"
    registers = [f"    register_{number}: 'r{number}'," for number in range(3000)]
    productions = ["where register_1[N] == A:", "    register_1[N] = B"] * 3000
    program.write_text("\n".join(["registers: {", *registers, "}", *productions]))
    groups = ",".join(f"synIDattr(synID({line},{column},1),'name')" for line, column in [(8000, 5), (2000, 20)])
    out = tmp_path / "out"
    neovim(nvim, home_with_plugin(tmp_path), program, f"+call writefile([{groups}], '{out}')", "+qall!")
    assert out.read_text().split() == ["pslRegisterWritten", "pslShortName"]


TYPED = """registers: {
symbol: 's',
# a comment in between
position: 'p'
}
constants: {A, EOP}
repeat:
where symbol[N] in [A, EOP, A, EOP, A, EOP, A, EOP, A, EOP, A, EOP, A, EOP, A, EOP] and
symbol[N] == EOP:
symbol[N] = A
position[N] = EOP
where symbol[N] == A:
symbol[N] = EOP
until NO_CHANGE
where symbol[N] == A:
symbol[N] = EOP
"""


@both
def test_typed_text_is_indented_like_psl_fmt(nvim, tmp_path):
    program = tmp_path / "typed.psl"
    program.touch()
    home = home_with_plugin(tmp_path)
    keys = "i" + TYPED.rstrip().replace("\n", r"\<CR>").replace('"', r"\"") + r"\<Esc>"
    run = neovim(nvim, home, program, "-c", f'execute "normal! {keys}"', "-c", "wqall", "-c", "cquit")
    assert run.returncode == 0, run.stderr
    assert program.read_text() == formatted(TYPED)
