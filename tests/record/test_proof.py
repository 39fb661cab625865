"""Proofs as text: any text that is not written so is refused, and a proof is of its leaf alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from record.tree import inclusion_proof, tree_root
from tabularium_log.record.checkpoint import Checkpoint
from tabularium_log.record.errors import MalformedError, RecordError, UnverifiedError
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import Signer, sign_note
from tabularium_log.record.proof import LeafProof, parse_proof, verify_proof
from tests.record.plain_tree import filled, leaves_of

ORIGIN = "example.com/record"
LOG = Signer(ORIGIN, bytes(range(32)))
WITNESS = Signer("witness.example", bytes(32))
LEAVES = leaves_of(600)
TILES = filled(LEAVES)


def proof_of(index: int, size: int, extra: bytes = b"") -> LeafProof:
    """The proof of a leaf, signed by the log and by a witness."""
    checkpoint = Checkpoint(ORIGIN, size, tree_root(TILES, size))
    note = sign_note(checkpoint.text, [LOG, WITNESS])
    return LeafProof(index, tuple(inclusion_proof(TILES, index, size)), note, extra)


PROOF = proof_of(300, 600)
TEXT = PROOF.encode().decode()
WITH_EXTRA = proof_of(300, 600, b"more").encode().decode()


def test_the_lines_of_a_proof() -> None:
    head, _, note = TEXT.partition("\n\n")
    lines = head.split("\n")
    assert lines[:2] == ["c2sp.org/tlog-proof@v1", "index 300"]
    assert len(lines) == 2 + len(PROOF.hashes)
    assert note.startswith("example.com/record\n600\n")
    assert WITH_EXTRA.split("\n")[1] == "extra bW9yZQ=="


@pytest.mark.parametrize("size", [1, 2, 255, 256, 257, 600])
def test_a_proof_is_read_as_it_is_written_and_verifies(size: int) -> None:
    for index in {0, size // 2, size - 1}:
        for extra in (b"", b"\x00more"):
            proof = proof_of(index, size, extra)
            read = parse_proof(proof.encode())
            assert read == proof
            assert read.encode() == proof.encode()
            checkpoint = verify_proof(read, LEAVES[index], ORIGIN, [LOG.key])
            assert (checkpoint.size, checkpoint.origin) == (size, ORIGIN)


class TestRefusals:
    def test_another_leaf(self) -> None:
        with pytest.raises(UnverifiedError, match="leads to another root"):
            verify_proof(PROOF, LEAVES[301], ORIGIN, [LOG.key])
        with pytest.raises(UnverifiedError, match="leads to another root"):
            verify_proof(PROOF, leaf_hash(LEAVES[300]), ORIGIN, [LOG.key])

    def test_another_index_or_other_hashes(self) -> None:
        turned = bytes([PROOF.hashes[0][0] ^ 1]) + PROOF.hashes[0][1:]
        for wrong in (
            replace(PROOF, index=301),
            replace(PROOF, hashes=PROOF.hashes[:-1]),
            replace(PROOF, hashes=PROOF.hashes[::-1]),
            replace(PROOF, hashes=(turned, *PROOF.hashes[1:])),
        ):
            with pytest.raises(RecordError):
                verify_proof(wrong, LEAVES[300], ORIGIN, [LOG.key])

    def test_a_checkpoint_of_another_log_or_key(self) -> None:
        with pytest.raises(UnverifiedError, match=r"not of 'example\.com/other'"):
            verify_proof(PROOF, LEAVES[300], "example.com/other", [LOG.key])
        with pytest.raises(UnverifiedError, match="None of the known keys"):
            verify_proof(PROOF, LEAVES[300], ORIGIN, [Signer(ORIGIN, bytes(32)).key])
        with pytest.raises(UnverifiedError, match="None of the known keys"):
            verify_proof(PROOF, LEAVES[300], ORIGIN, [])

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "first line"),
            (TEXT.replace("@v1", "@v2"), "first line"),
            (f"\n{TEXT}", "first line"),
            (f" {TEXT}", "first line"),
            (TEXT.replace("\nindex 300", ""), "no line that begins with 'index '"),
            (TEXT.replace("index", "Index"), "no line that begins with 'index '"),
            (TEXT.replace("index 300", "extra bW9yZQ=="), "no line that begins with 'index '"),
            (TEXT.replace("index 300", "index  300"), "without leading zeroes"),
            (TEXT.replace("index 300", "index 0300"), "without leading zeroes"),
            (TEXT.replace("index 300", "index -1"), "without leading zeroes"),
            (TEXT.replace("index 300", "index 300 "), "without leading zeroes"),
            (TEXT.replace("index 300", "index 300\nextra bW9yZQ=="), "not base64"),
            (TEXT.replace("index 300", "index 300\nAAAA"), "has 3 bytes, not 32"),
            (TEXT.replace("index 300", "index 600"), "leaf 600 in a tree of 600"),
            (TEXT.replace("index 300", "index 300\n"), "lines for its origin|not a decimal number"),
            (
                TEXT.replace("300\n", f"300\n{'A' * 43}=\n" + f"{'A' * 43}=\n" * 63),
                "than 63 hashes",
            ),
            (TEXT.replace("300\n", "300\r\n"), "control character"),
            (TEXT.replace("=\n\n", "=\n"), "not base64|no empty line"),
            (WITH_EXTRA.replace("bW9yZQ==", ""), "extra data of a proof is empty"),
            (WITH_EXTRA.replace("bW9yZQ==", "bW9yZQ"), "not base64"),
            (WITH_EXTRA.replace("bW9yZQ==", "bW9yZR=="), "one valid form"),
            (WITH_EXTRA.replace("extra", "Extra"), "no line that begins with 'index '"),
            ("c2sp.org/tlog-proof@v1", "no empty line before"),
            ("c2sp.org/tlog-proof@v1\nindex 0\n", "no empty line before"),
            ("c2sp.org/tlog-proof@v1\nindex 0\n\ntext\n", "no empty line before its signatures"),
            (TEXT + "more\n", "not a signature line"),
            (TEXT[:-1], "signature line and a newline"),
        ],
    )
    def test_any_other_text(self, text: str, reason: str) -> None:
        with pytest.raises(MalformedError, match=reason):
            parse_proof(text.encode())

    def test_every_changed_byte(self) -> None:
        """Only the line of the witness may change, whose key is unknown here."""
        raw = PROOF.encode()
        witness_from = raw.index("— witness.example".encode())
        for at in range(witness_from):
            changed = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
            with pytest.raises(RecordError):
                verify_proof(parse_proof(changed), LEAVES[300], ORIGIN, [LOG.key])
        other_line = raw[:-5] + bytes([raw[-5] ^ 1]) + raw[-4:]
        assert verify_proof(parse_proof(other_line), LEAVES[300], ORIGIN, [LOG.key]).size == 600
        with pytest.raises(UnverifiedError, match="signature by witness"):
            verify_proof(parse_proof(other_line), LEAVES[300], ORIGIN, [LOG.key, WITNESS.key])
