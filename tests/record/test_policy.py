"""Policies: the example of the specification, quorums, and the refusal of all that is no policy."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from record.cosignature import Cosigner
from record.policy import parse_policy, read_policy
from tabularium_log.record.errors import MalformedError
from tabularium_log.record.note import Signer, VerifierKey

LOG = Signer("log.example/record", bytes(32)).key
KEYS = {
    name: Cosigner(f"{name}.example", bytes([number] * 32)).key
    for number, name in enumerate(("X1", "X2", "X3", "Y1", "Y2", "Y3"), 1)
}
# The example of C2SP tlog-policy.
EXAMPLE = f"""# two levels
log {LOG.text}

witness X1 {KEYS["X1"].text}
witness X2 {KEYS["X2"].text} https://x2.example/witness
witness X3 {KEYS["X3"].text}
group X-witnesses 2 X1 X2 X3

\twitness  Y1\t{KEYS["Y1"].text}\x20
witness Y2 {KEYS["Y2"].text}
witness Y3 {KEYS["Y3"].text}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
"""
WITNESS = f"witness w {KEYS['X1'].text}\n"
NONE = "quorum none\n"


def is_met(text: str, *names: str) -> bool:
    """Whether these witnesses suffice."""
    return parse_policy(text.encode()).is_met([KEYS[name] for name in names])


class TestTheExample:
    def test_its_logs_and_witnesses_are_read(self) -> None:
        policy = parse_policy(EXAMPLE.encode())
        assert [log.key for log in policy.logs] == policy.keys_of_log("log.example/record") == [LOG]
        assert {name: party.key for name, party in policy.witnesses.items()} == KEYS
        assert policy.witnesses["X2"].url == "https://x2.example/witness"
        assert policy.witnesses["X1"].url == ""
        assert policy.keys_of_log("log.example") == []

    def test_its_quorum_is_two_of_three_and_one_of_three(self) -> None:
        for size in range(len(KEYS) + 1):
            for names in combinations(KEYS, size):
                of_x = sum(name.startswith("X") for name in names)
                assert is_met(EXAMPLE, *names) is (of_x >= 2 and of_x < size)


class TestQuorums:
    def test_none_asks_for_no_witness(self) -> None:
        assert is_met(NONE)
        assert is_met(f"{WITNESS}{NONE}")

    def test_a_witness(self) -> None:
        assert is_met(f"{WITNESS}quorum w\n", "X1")
        assert not is_met(f"{WITNESS}quorum w\n", "X2", "Y1")

    def test_a_key_under_another_name_is_another_one(self) -> None:
        other = VerifierKey("other.example", KEYS["X1"].public_key, KEYS["X1"].type)
        assert not parse_policy(f"{WITNESS}quorum w\n".encode()).is_met([other])

    def test_names_beyond_ascii_are_bytes(self) -> None:
        policy = parse_policy(WITNESS.replace(" w ", " ω ").encode() + "quorum ω\n".encode())
        assert policy.quorum == "ω"
        odd = WITNESS.encode().replace(b" w ", b" \xff ") + b"quorum \xff\n"
        assert parse_policy(odd).is_met([KEYS["X1"]])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no quorum"),
        ("# quorum none\n", "no quorum"),
        (NONE * 2, "Line 2: A policy has one quorum"),
        ("quorum\n", "one quorum"),
        ("quorum none none\n", "one quorum"),
        ("quorum w\n" + WITNESS, "not known"),
        (WITNESS * 2 + NONE, "name of its own"),
        (WITNESS + WITNESS.replace(" w ", " v ") + NONE, "is there twice"),
        (f"log {LOG.text}\nlog {LOG.text}\n{NONE}", "is there twice"),
        (WITNESS.replace(" w ", " none ") + NONE, "name of its own"),
        (f"witness w {LOG.text}\n{NONE}", "has type 0x01, not 0x04"),
        (f"log {KEYS['X1'].text}\n{NONE}", "has type 0x04, not 0x01"),
        (f"witness w\n{NONE}", "verifier key and may have a URL"),
        (f"witness\n{NONE}", "name of its own"),
        (f"log {LOG.text} https://a.example x\n{NONE}", "verifier key and may have a URL"),
        (f"log {LOG.text}x\n{NONE}", "base64"),
        (f"{WITNESS}group g any\n{NONE}", "a number of members, and members"),
        (f"{WITNESS}group w any w\n{NONE}", "name of its own"),
        (f"{WITNESS}group g any g\n{NONE}", "not known"),
        (f"{WITNESS}group g any none\n{NONE}", "not known"),
        (f"{WITNESS}group g all w w\n{NONE}", "not different"),
        (f"{WITNESS}group g 0 w\n{NONE}", "no number of members"),
        (f"{WITNESS}group g 2 w\n{NONE}", "no number of members"),
        (f"{WITNESS}group g 01 w\n{NONE}", "no number of members"),
        (f"{WITNESS}group g most w\n{NONE}", "no number of members"),
        (f"logs {LOG.text}\n{NONE}", "begins no line"),
        ("quorum none\r\n", "control character"),
        ("quorum\x00none\n", "control character"),
        ("\n" * 1001, "more than 1000 lines"),
        ("#" * (2**20 + 1), "more than 1048576 bytes"),
    ],
)
def test_others_are_refused(text: str, reason: str) -> None:
    with pytest.raises(MalformedError, match=reason):
        parse_policy(text.encode())


def test_a_file_is_named_in_the_refusal(tmp_path: Path) -> None:
    assert read_policy(tmp_path / "policy") is None
    (tmp_path / "policy").write_text(NONE)
    assert read_policy(tmp_path / "policy") == parse_policy(NONE.encode())
    (tmp_path / "policy").write_text("x")
    with pytest.raises(MalformedError, match=r"policy cannot be read: Line 1: 'x' begins no line"):
        read_policy(tmp_path / "policy")
