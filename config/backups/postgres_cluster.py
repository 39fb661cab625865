"""A PostgreSQL: copied with its own programs while it is written, and made ready to recover from
the copy and the archive of its write-ahead log, up to a point in time."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from config.backups.problem import BackupProblem

DEBIAN_FOLDER: Final = Path("/usr/lib/postgresql")  # where its programs are not on the path
MARKER: Final = "recovery.signal"  # makes a server recover from its archive when it starts
SETTINGS_FILE: Final = "postgresql.auto.conf"
VARIABLES: Final = {
    "HOST": "PGHOST",
    "PORT": "PGPORT",
    "USER": "PGUSER",
    "PASSWORD": "PGPASSWORD",
}  # libpq's, so that no password is an argument that other users see


def back_up(database: Mapping[str, Any], target: Path) -> None:
    """Copy all files of the server into a new folder, with the write-ahead log that makes them
    consistent, and check them against their manifest."""
    if target.exists():
        raise BackupProblem(f"{target} exists already.")
    part = target.with_name(f"{target.name}.part")
    shutil.rmtree(part, ignore_errors=True)
    variables = {VARIABLES[name]: str(database[name]) for name in VARIABLES if database.get(name)}
    variables |= {"PGSSLMODE": database["OPTIONS"].get("sslmode", "prefer")}
    options = ["--wal-method=stream", "--checkpoint=fast", "--no-password"]
    try:
        run("pg_basebackup", f"--pgdata={part}", *options, variables=variables)
        run("pg_verifybackup", "--exit-on-error", "--quiet", str(part))
        part.rename(target)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def restore(backup: Path, cluster: Path, archive: Path | None, until: datetime | None) -> None:
    """Make a folder with the files of a back-up, which a PostgreSQL that starts on it recovers: to
    the end of the archive, or to a point in time."""
    if not (backup / "backup_label").is_file():
        raise BackupProblem(f"{backup} is no back-up of a PostgreSQL.")
    if cluster.exists() and any(cluster.iterdir()):
        raise BackupProblem(f"{cluster} is not empty.")
    if until is not None and archive is None:
        raise BackupProblem("A point in time needs the archive of the write-ahead log: --wal.")
    settings = "" if archive is None else recovery_settings(archive, until)
    run("pg_verifybackup", "--exit-on-error", "--quiet", str(backup))
    try:
        shutil.copytree(backup, cluster, symlinks=True, dirs_exist_ok=True)
        cluster.chmod(0o700)
        if settings:
            with (cluster / SETTINGS_FILE).open("a", encoding="utf-8") as file:
                file.write(settings)
            (cluster / MARKER).touch(mode=0o600)
    except OSError as problem:
        raise BackupProblem(f"{cluster} cannot be written: {problem}.") from problem


def recovery_settings(archive: Path, until: datetime | None) -> str:
    """The settings with which a server recovers, and then goes on as a server of its own."""
    folder = str(archive.resolve())
    if not archive.is_dir() or {"'", "%", "\n", '"'} & set(folder):
        raise BackupProblem(
            f"{archive} is no folder, or has a quote or a percent sign in its name."
        )
    settings = {
        "restore_command": f'cp "{folder}/%f" "%p"',
        "recovery_target_action": "promote",
        "recovery_target_timeline": "latest",
    }
    if until is not None:
        settings["recovery_target_time"] = until.astimezone(UTC).isoformat()
    return "".join(f"{name} = '{value}'\n" for name, value in settings.items())


def run(program: str, *arguments: str, variables: Mapping[str, str] | None = None) -> None:
    """Run a program of PostgreSQL, whose complaint is the problem's."""
    process = subprocess.run(
        [find_program(program), *arguments],
        env={**os.environ, **(variables or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise BackupProblem(process.stderr.strip() or f"{program} ends with {process.returncode}.")


def find_program(name: str) -> str:
    """The path of a program of PostgreSQL, or a BackupProblem."""
    path = program_path(name)
    if path is None:
        raise BackupProblem(f"{name} is not installed: it is part of PostgreSQL.")
    return path


def program_path(name: str) -> str | None:
    """The path of a program, if it is installed; those of the newest PostgreSQL come first."""
    folders = sorted(DEBIAN_FOLDER.glob("*/bin"), reverse=True)
    search_path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, folders)])
    return shutil.which(name, path=search_path)
