"""Completion in bash, zsh and fish, with the scripts that psl prints."""

import re
import shutil
from pathlib import Path

import pytest
from command import execute, psl
from paths import PSL
from terminal import Terminal

# Where each shell looks for the script, from the home folder.
SCRIPTS = {
    "bash": ".local/share/bash-completion/completions/psl",
    "zsh": ".zfunc/_psl",
    "fish": ".config/fish/completions/psl.fish",
}

# The interactive shells, and the lines that start them: psl becomes a function that shows its arguments.
SESSIONS = {
    "bash": (
        ["bash", "--norc", "--noprofile", "-i"],
        "PS1='ready''> '; source /usr/share/bash-completion/bash_completion; psl() { printf 'ran%s' ''; printf '<%s>' \"$@\"; echo; }",
    ),
    "zsh": (
        ["zsh", "-f", "-i"],
        "fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit -u -D; "
        "psl() { printf 'ran%s' ''; printf '<%s>' \"$@\"; echo }; PS1='ready''> '",
    ),
}

# The text before the tab, and its last word after the tab.
TYPED = [
    ("check --deny non-c", "non-causal"),
    ("check --deny warn", "warnings"),
    ("check --allow never-f", "never-fires"),
    ("check --format sar", "sarif"),
    ("check programs/first.psl --format sar", "sarif"),
    ("fmt programs/first.psl --che", "--check"),
    ("check programs/fi", "programs/first.psl"),
    ("compile programs/first.psl --emit wei", "weights"),
    ("run --machine full", "full-dat"),
    ("run --embedding semi", "semi-local"),
    ("run --verif", "--verify"),
    ("test --machine al", "all"),
    ("eval programs/first.psl data.tsv --machine ps", "psm"),
    ("tgt --split ood_lex", "ood_lexical"),
    ("new mine --from indu", "induction"),
    ("explain ill-ty", "ill-typed-condition"),
    ("explain repea", "repeat"),
    ("completions zs", "zsh"),
    ("dem", "demo"),
    ("trace di", "diff"),
    ("--colo", "--color"),
]

# The text before the tab, words that are then offered, and words that are not.
OFFERED = [
    ("check --deny ", {"non-causal", "never-fires", "warnings"}, {"syntax"}),
    ("check --allow ", {"non-causal", "never-fires"}, {"warnings", "syntax"}),
    ("check --format ", {"human", "short", "json", "sarif", "github"}, {"text"}),
    ("run --machine ", {"psm", "qkvm", "dat", "full-dat"}, {"all"}),
    ("test --machine ", {"psm", "qkvm", "dat", "full-dat", "all"}, set()),
    ("tgt --split ", {"train", "dev", "test", "ood_lexical", "ood_cons_count_10"}, set()),
    ("new mine --from ", {"skeleton", "pargen"}, set()),
    ("explain ", {"non-causal", "syntax", "repeat", "where", "eop", "pos_increment"}, set()),
    ("completions ", {"bash", "zsh", "fish"}, set()),
]


@pytest.fixture(scope="module", params=SCRIPTS)
def shell(request) -> str:
    if not shutil.which(request.param):
        pytest.skip(f"{request.param} is missing: apt-get install {request.param}")
    if request.param == "bash" and not Path("/usr/share/bash-completion/bash_completion").exists():
        pytest.skip("bash-completion is missing: apt-get install bash-completion")
    return request.param


@pytest.fixture(scope="module")
def home(shell, tmp_path_factory) -> Path:
    """A home with the script of a shell, and a program in a folder."""
    home = tmp_path_factory.mktemp(shell)
    script = home / SCRIPTS[shell]
    script.parent.mkdir(parents=True)
    script.write_text(psl("completions", shell).stdout)
    (home / "programs").mkdir()
    psl("new", "programs/first", cwd=home)
    return home


def environment(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "PATH": f"{PSL.parent}:/usr/local/bin:/usr/bin:/bin", "TERM": "xterm", "LANG": "C.UTF-8"}


@pytest.fixture(scope="module")
def session(shell, home):
    """An interactive shell on a terminal."""
    if shell not in SESSIONS:
        pytest.skip("fish lists what it would complete")
    command, setup = SESSIONS[shell]
    with Terminal(home, *command, environment=environment(home)) as session:
        session.type(setup + "\n")
        session.read_up_to("ready> ")
        yield session


def listed(home: Path, typed: str) -> set[str]:
    """The completions that fish offers for a line."""
    run = execute("fish", "-c", f"complete -C {typed!r}", cwd=home, env=environment(home))
    assert run.stderr == ""
    return {offer.split("\t")[0] for offer in run.stdout.splitlines()}


@pytest.mark.parametrize("shell", ["bash", "zsh"], indirect=True)
@pytest.mark.parametrize("typed, word", TYPED)
def test_a_tab_completes_the_word(session, typed, word):
    session.type(f"psl {typed}\t\n")
    ran = session.read_up_to(r"ran((?:<[^>]*>)+)\r?\n")[1]
    session.read_up_to("ready> ")
    *before, _ = typed.split(" ")
    assert re.findall("<([^>]*)>", ran) == [*before, word]


@pytest.mark.parametrize("shell", ["fish"], indirect=True)
@pytest.mark.parametrize("typed, word", TYPED)
def test_fish_completes_the_word(shell, home, typed, word):
    assert word in listed(home, f"psl {typed}")


@pytest.mark.parametrize("shell", ["fish"], indirect=True)
@pytest.mark.parametrize("typed, words, others", OFFERED)
def test_fish_offers_the_values(shell, home, typed, words, others):
    offered = listed(home, f"psl {typed}")
    assert words <= offered and not others & offered


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
@pytest.mark.parametrize("typed, words, others", OFFERED)
def test_bash_offers_the_values(shell, home, typed, words, others):
    line = f"psl {typed}"
    *before, last = line.split(" ")
    call = f"""
        source {SCRIPTS["bash"]}
        COMP_WORDS=({" ".join(before)} {last!r}) COMP_CWORD={len(before)}
        _psl psl {last!r} {before[-1]}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    run = execute("bash", "-c", call, cwd=home, env=environment(home))
    offered = set(run.stdout.split())
    assert run.stderr == "" and words <= offered and not others & offered
