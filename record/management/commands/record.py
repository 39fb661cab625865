"""`manage.py record`: begin to sign the public record, show its status, write a copy of it, and
recover it after the database went back; and the witness of other records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error

from record import beginning, copies, recovery, signing, status, witness_identity, witness_status
from tabularium_log.record.errors import RecordError


class Command(BaseCommand):
    """`manage.py record`."""

    help = "Begin, show, copy or recover the public record of finished games."

    def add_arguments(self, parser: CommandParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True)
        init = parts.add_parser("init", help="let this machine sign the record")
        init.add_argument("origin", nargs="?", help="its name, such as games.example/record")
        init.add_argument(
            "--adopt", action="store_true", help="sign in the place of another machine"
        )
        parts.add_parser("status", help="show its size, checkpoint and standing")
        publish = parts.add_parser("publish", help="write the files that a copy lacks")
        publish.add_argument("folder", type=Path)
        recover = parts.add_parser("recover", help="put back leaves that the database lost")
        way = recover.add_mutually_exclusive_group(required=True)
        way.add_argument("--from", dest="source", help="the folder or URL of a copy")
        recover.add_argument(
            "--without-guard",
            action="store_true",
            help="the guard is lost, and nothing after the copy was signed",
        )
        way.add_argument("--new-origin", help="continue under another name, without a copy")
        witness = parts.add_parser("witness", help="show the logs that are witnessed here")
        witness.add_argument("--begin", metavar="NAME", help="let this machine be a witness")
        witness.add_argument(
            "--adopt", action="store_true", help="continue a witness that the database knows"
        )
        witness.add_argument(
            "--evidence", type=Path, metavar="FOLDER", help="write refused checkpoints into files"
        )

    def handle(self, *_: Any, part: str, **options: Any) -> None:
        """Run one of the parts."""
        try:
            message = getattr(self, f"_{part}")(**options)
        except (RecordError, Error, OSError) as problem:
            raise CommandError(str(problem)) from problem
        self.stdout.write(message)

    @staticmethod
    def _init(*, origin: str | None, adopt: bool, **_: Any) -> str:
        if (origin is None) is not adopt:
            raise CommandError("Give the name of a new record, or --adopt.")
        beginning.adopt() if origin is None else beginning.begin(origin)
        return "This machine signs the record. Keep record_key; it must stay secret."

    @staticmethod
    def _status(**_: Any) -> str:
        return "\n".join(status.status_lines())

    @staticmethod
    def _publish(*, folder: Path, **_: Any) -> str:
        checkpoint = signing.latest_checkpoint()
        if checkpoint is None:
            raise CommandError("There is no checkpoint yet.")
        files = copies.write_copy(folder, checkpoint)
        return f"{files} files written: {folder} has {checkpoint.size} leaves."

    @staticmethod
    def _recover(
        *, source: str | None, new_origin: str | None, without_guard: bool, **_: Any
    ) -> str:
        if source is None:
            recovery.begin_anew(str(new_origin))
            return f"The record continues as {new_origin}."
        leaves, lost = recovery.recover(copies.source_of(source), has_guard=not without_guard)
        return f"{leaves} leaves are back; {lost} of them are of games that are lost."

    @staticmethod
    def _witness(*, begin: str | None, adopt: bool, evidence: Path | None, **_: Any) -> str:
        if begin is not None:
            witness_identity.begin(begin, adopt=adopt)
            return "This machine is a witness. Keep witness_key; it must stay secret."
        if adopt:
            raise CommandError("--adopt belongs to --begin NAME.")
        if evidence is not None:
            return f"{witness_status.write_evidence(evidence)} files written."
        return "\n".join(witness_status.witness_lines())
