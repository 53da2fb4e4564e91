"""psl-mode for Emacs without the language server: highlighting, indentation and imenu."""

import json
import os
import shutil
from subprocess import CompletedProcess

import pytest
from colors import TABLE, every_program, shown_words
from command import execute, formatted
from paths import PARGEN, ROOT

EMACS = shutil.which("emacs")
pytestmark = pytest.mark.skipif(EMACS is None, reason="Emacs is missing: apt-get install emacs-nox")

MODE = ROOT / "editors/emacs/psl-mode.el"
SCRIPT = ROOT / "tests/clients/emacs_text.el"

# Emacs uses a separate face for the comment delimiter, which looks like the face of the comment.
SAME = {"font-lock-comment-delimiter-face": "font-lock-comment-face", "nil": "default"}


# -Q hides the packages: the mode needs neither eglot nor lsp-mode.
def emacs(home, *arguments, code=0) -> CompletedProcess:
    environment = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "OUT": str(home / "out.json")}
    return execute(EMACS, "-Q", "--batch", *arguments, code=code, env=environment, cwd=home, timeout=100)


def read(home, program) -> dict:
    emacs(home, "-l", MODE, "-l", SCRIPT, program)
    return json.loads((home / "out.json").read_text())


@every_program
def test_highlighting_agrees_with_the_server(program, tmp_path):
    shown = read(tmp_path, program)
    assert shown["mode"] == "psl-mode"
    words = shown_words(program, shown["lines"], "faces")
    assert [word for word in words if {SAME.get(face, face) for face in word.shown} != {TABLE[word.row]["emacs"]}] == []


def test_an_unclosed_string_ends_with_its_line(tmp_path):
    lines = PARGEN.read_text().splitlines()
    at = next(number for number, line in enumerate(lines) if "region[N] == XA" in line)
    broken = tmp_path / "broken.psl"
    broken.write_text("\n".join([*lines[:at], lines[at].replace("== XA", "== 'XA"), *lines[at + 1 :], ""]))
    sound, shown = read(tmp_path, PARGEN)["lines"], read(tmp_path, broken)["lines"]
    assert shown[at]["faces"] != sound[at]["faces"]
    assert [line["faces"] for line in shown[at + 1 :]] == [line["faces"] for line in sound[at + 1 :]]
    column = shown[at]["text"].index("'XA")
    assert shown[at]["faces"][column] == "font-lock-string-face"


@every_program
def test_indentation_keeps_a_formatted_program(program, tmp_path):
    lines = read(tmp_path, program)["lines"]
    wrong = [line["text"] for line in lines if line["text"] and line["indent"] != line["expected"]]
    assert len(lines) > 10 and not wrong


def test_imenu_lists_labels_and_tests(tmp_path):
    imenu = read(tmp_path, PARGEN)["imenu"]
    assert "P0: start with no region, no type, and a field of one's own" in imenu
    assert "P2a: spread XQ" in imenu and "Test" in imenu
    assert not any("@" in entry for entry in imenu)


def test_the_mode_compiles_without_warnings(tmp_path):
    copy = shutil.copy(MODE, tmp_path)
    run = emacs(tmp_path, "--eval", "(setq byte-compile-error-on-warn t)", "-f", "batch-byte-compile", copy)
    assert run.stderr == ""
    assert (tmp_path / "psl-mode.elc").exists()


def test_the_instructions_of_the_readme(tmp_path):
    init = (MODE.parent / "README.md").read_text().split("```elisp\n")[1].split("```")[0]
    (tmp_path / "init.el").write_text(init.replace("/path/to/this/folder", str(MODE.parent)))
    shown = "(princ (list major-mode (memq 'eglot-ensure psl-mode-hook)))"
    hook = "(defun eglot-ensure ())"
    run = emacs(tmp_path, "--eval", hook, "-l", tmp_path / "init.el", "--visit", PARGEN, "--eval", shown)
    assert run.stdout == "(psl-mode (eglot-ensure))", run.stderr


TYPED = """where symbol[N] in [A, EOP, A, EOP, A, EOP, A, EOP, A, EOP, A, EOP, A, EOP, A, EOP] and
symbol[N] == EOP:
symbol[N] = A
where symbol[N] == A:
symbol[N] = EOP
repeat:
where symbol[N] == A:
symbol[N] = EOP
until NO_CHANGE
where symbol[N] == A:
symbol[N] = EOP
"""


def test_typed_text_is_indented_like_psl_fmt(tmp_path):
    program = tmp_path / "typed.psl"
    program.write_text("constants: {A, EOP}\n")
    keys = json.dumps(TYPED.rstrip().replace("\n", "\r"))
    script = f"""(progn (find-file "{program}") (goto-char (point-max)) (electric-indent-mode 1)
        (switch-to-buffer (current-buffer)) (execute-kbd-macro {keys}) (insert "\n") (save-buffer))"""
    emacs(tmp_path, "-l", MODE, "--eval", script)
    assert program.read_text() == formatted("constants: {A, EOP}\n" + TYPED)
