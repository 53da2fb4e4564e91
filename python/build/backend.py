"""The build backend of the wheel: maturin builds the module, and cargo the command `psl` that the wheel installs."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import maturin
from maturin import prepare_metadata_for_build_editable, prepare_metadata_for_build_wheel

__all__ = ["build_editable", "build_wheel", "prepare_metadata_for_build_editable", "prepare_metadata_for_build_wheel"]

# Where Rust is missing, maturin would download a toolchain for the module alone. Now it asks for one.
os.environ["MATURIN_NO_INSTALL_RUST"] = "1"

# The folder that pyproject.toml names: a wheel installs what is in its scripts.
SCRIPTS = Path(__file__).parents[1] / "data" / "scripts"
# For metadata too, maturin wants the folder.
SCRIPTS.mkdir(parents=True, exist_ok=True)


def with_command(settings: dict[str, str] | None) -> dict[str, str]:
    """Builds the command with the profile of the setting `profile`, and returns the settings of maturin for the same."""
    profile = (settings or {}).get("profile", maturin.get_config()["profile"])
    build = f"cargo rustc --locked --profile {profile} -p psl-cli --bin psl --message-format json-render-diagnostics"
    messages = subprocess.run([*build.split(), "--", "-Cstrip=symbols"], stdout=subprocess.PIPE, check=True).stdout
    built = (message.get("executable") for message in map(json.loads, messages.splitlines()))
    shutil.copy(next(filter(None, built)), SCRIPTS)
    return {"build-args": f"--locked --profile {profile}"}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return maturin.build_wheel(wheel_directory, with_command(config_settings), metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return maturin.build_editable(wheel_directory, with_command(config_settings), metadata_directory)
