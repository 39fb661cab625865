"""Signed notes: keys, signature lines, and the refusal of every other spelling."""

from __future__ import annotations

from base64 import b64decode, b64encode
from dataclasses import replace

import pytest

from tabularium_log.record.errors import MalformedError, UnverifiedError
from tabularium_log.record.note import (
    Note,
    Signer,
    VerifierKey,
    open_note,
    parse_note,
    parse_verifier_key,
    sign_note,
    verify_note,
)
from tabularium_log.record.strict_text import TEXT_BYTES_LIMIT

# The example of golang.org/x/mod/sumdb/note.
GO_KEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_SEED = b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb"
    "6KE6RyyBwJnAM=\n"
)

LOG = Signer("example.com/record", bytes(range(32)))
OTHER = Signer("example.com/other", bytes(32))
TEXT = "first line\n\nlast line — after an empty one\n"
NOTE = sign_note(TEXT, [LOG, OTHER])
RAW = NOTE.encode()
TWINS = (74_626, 191_677)  # two public keys of example.com/record with one id


class TestKeys:
    def test_a_key_is_read_as_it_is_written(self) -> None:
        for key in (LOG.key, OTHER.key, parse_verifier_key(GO_KEY)):
            assert parse_verifier_key(key.text) == key
        assert parse_verifier_key(GO_KEY).text == GO_KEY

    def test_the_signer_of_an_example_has_the_published_key(self) -> None:
        assert Signer("PeterNeumann", GO_SEED).key.text == GO_KEY

    def test_the_id_depends_on_name_and_key(self) -> None:
        ids = {
            LOG.key.id,
            OTHER.key.id,
            replace(LOG.key, name="x").id,
            replace(OTHER.key, name=LOG.key.name).id,
        }
        assert len(ids) == 4

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("", "is name\\+hash\\+key"),
            ("PeterNeumann+c74f20a3", "is name\\+hash\\+key"),
            (GO_KEY.replace("c74f20a3", "c74f20a4"), "is c74f20a3, not 'c74f20a4'"),
            (GO_KEY.replace("c74f20a3", "C74F20A3"), "is c74f20a3, not 'C74F20A3'"),
            (GO_KEY.replace("c74f20a3", " c74f20a3"), "is c74f20a3"),
            (GO_KEY.replace("Peter", "Peter "), "has a blank or a plus"),
            (GO_KEY.replace("PeterNeumann", ""), "is empty"),
            (GO_KEY.replace("Peter", "Pete"), "The hash of the key PeteNeumann"),
            (GO_KEY.replace("ARpc", "AhpC"), "unknown type 0x02"),
            (GO_KEY[:-4], "has 29 bytes, not 32"),
            (GO_KEY[:-1], "not base64"),
            (f"{GO_KEY}\n", "not base64"),
            (f"{GO_KEY}AAAA", "has 35 bytes, not 32"),
            (GO_KEY.replace("/", "_"), "not base64"),
            ("PeterNeumann+c74f20a3+", "is empty"),
            ("PeterNeumann+c74f20a3+AR==", "one valid form"),
            ("Peter\x00+c74f20a3+AQ==", "control character"),
            ("Peter\ud800+c74f20a3+AQ==", "lone surrogate"),
        ],
    )
    def test_any_other_text_is_refused(self, text: str, reason: str) -> None:
        with pytest.raises(MalformedError, match=reason):
            parse_verifier_key(text)

    @pytest.mark.parametrize("name", ["", "a b", "a+b", "a\u00a0b", "a\u2003", "\u3000", "a\nb"])
    def test_a_name_has_no_blank_and_no_plus(self, name: str) -> None:
        with pytest.raises(MalformedError):
            VerifierKey(name, bytes(32))


class TestSigning:
    def test_the_example_is_signed_alike(self) -> None:
        note = sign_note(GO_NOTE.rpartition("\n\n")[0] + "\n", [Signer("PeterNeumann", GO_SEED)])
        assert note.encode().decode() == GO_NOTE

    def test_a_note_is_read_as_it_was_signed(self) -> None:
        assert parse_note(RAW) == NOTE
        assert open_note(RAW, [LOG.key]) == NOTE
        assert verify_note(NOTE, [OTHER.key, LOG.key]) == [LOG.key, OTHER.key]

    def test_the_same_text_has_the_same_signature(self) -> None:
        assert sign_note(TEXT, [LOG, OTHER]) == NOTE

    @pytest.mark.parametrize("text", ["", "no newline", "a\tb\n", "a\r\n", "\ud800\n"])
    def test_texts_that_no_note_has_are_not_signed(self, text: str) -> None:
        with pytest.raises(MalformedError):
            sign_note(text, [LOG])

    def test_a_note_has_a_signature(self) -> None:
        with pytest.raises(MalformedError, match="1 to 100 signatures"):
            sign_note(TEXT, [])
        with pytest.raises(MalformedError, match="1 to 100 signatures"):
            sign_note(TEXT, [LOG] * 101)


class TestVerifying:
    def test_lines_of_unknown_keys_are_ignored(self) -> None:
        long_line = f"— example.com/later {b64encode(bytes(3313)).decode()}\n"  # of another type
        same_name = f"— {LOG.key.name} {b64encode(b'abcd' + bytes(64)).decode()}\n"
        same_id = f"— stranger {b64encode(LOG.key.id + bytes(64)).decode()}\n"
        raw = RAW + "".join([long_line, same_name, same_id]).encode()
        assert verify_note(open_note(raw, [LOG.key]), [LOG.key]) == [LOG.key]
        assert parse_note(raw).encode() == raw

    def test_without_a_known_key_a_note_is_refused(self) -> None:
        stranger = Signer("stranger", bytes(32)).key
        for keys in ([], [stranger], [replace(LOG.key, name="x")]):
            with pytest.raises(UnverifiedError, match="None of the known keys"):
                open_note(RAW, keys)

    def test_a_wrong_signature_of_a_known_key_refuses_the_note(self) -> None:
        line = NOTE.signatures[1]
        for value in (bytes(64), line.value[:-1], line.value + b"\x00", NOTE.signatures[0].value):
            note = Note(TEXT, (NOTE.signatures[0], replace(line, value=value)))
            assert verify_note(note, [LOG.key]) == [LOG.key]
            with pytest.raises(UnverifiedError, match=r"by example\.com/other\+\w{8} is wrong"):
                verify_note(note, [LOG.key, OTHER.key])

    def test_a_second_line_of_a_key_is_verified_too(self) -> None:
        good = NOTE.signatures[0]
        assert verify_note(Note(TEXT, (good, good)), [LOG.key]) == [LOG.key]
        with pytest.raises(UnverifiedError):
            verify_note(Note(TEXT, (good, replace(good, value=bytes(64)))), [LOG.key])

    def test_every_changed_letter_of_the_text_is_found(self) -> None:
        for at in range(len(TEXT) - 1):
            changed = TEXT[:at] + ("x" if TEXT[at] != "x" else "y") + TEXT[at + 1 :]
            with pytest.raises(UnverifiedError):
                verify_note(replace(NOTE, text=changed), [LOG.key])

    def test_known_keys_differ_in_name_or_id(self) -> None:
        assert verify_note(NOTE, [LOG.key, replace(LOG.key)]) == [LOG.key]
        twins = [VerifierKey("example.com/record", bytes(28) + n.to_bytes(4)) for n in TWINS]
        assert twins[0].id == twins[1].id
        with pytest.raises(MalformedError, match="the same name and hash"):
            verify_note(NOTE, [LOG.key, *twins])


WHOLE = RAW.decode()


class TestMalformedNotes:
    @pytest.mark.parametrize(
        ("raw", "reason"),
        [
            (b"", "no empty line"),
            (b"text\n", "no empty line"),
            (b"text\n\n", "does not end with a signature line"),
            (RAW[:-1], "does not end with a signature line"),
            (RAW + b"\n", "does not end with a signature line"),
            (RAW + b"\n\n", "does not end with a signature line"),
            (RAW + b"text\n", "'text' is not a signature line"),
            (WHOLE.replace("— ", "- ").encode(), "not a signature line"),
            (WHOLE.replace("— ex", "—ex").encode(), "not a signature line"),
            (WHOLE.replace("— ex", "—  ex").encode(), "key name '' is empty"),
            (WHOLE.replace("/record ", "/record  ").encode(), "not base64"),
            (WHOLE.replace("/record ", "/re+cord ").encode(), "blank or a plus"),
            (WHOLE.replace("/record ", "/re\u2003cord ").encode(), "blank or a plus"),
            (b"text\n\n\xe2\x80\x94 name\n", "not a signature line"),
            (b"text\n\n\xe2\x80\x94 name \n", "too short"),
            (b"text\n\n\xe2\x80\x94 name AAAAAA==\n", "too short"),
            (b"text\n\n\xe2\x80\x94 name AAAAAAB=\n", "one valid form"),
            (b"text\n\n\xe2\x80\x94 name AAAAAAA\n", "not base64"),
            (WHOLE.replace("=\n", "=\r\n").encode(), "control character"),
            (WHOLE.replace("first", "fir\tst").encode(), "control character"),
            (b"\xff" + RAW, "not UTF-8: byte 0"),
            (RAW.replace(b"first", b"fir\xed\xa0\x80st"), "not UTF-8: byte 3"),
            (RAW.replace(b"first", b"fir\xc0\x80st"), "not UTF-8: byte 3"),
            (RAW + RAW.splitlines(keepends=True)[-1] * 99, "more than 100 signatures"),
            (b"x" * TEXT_BYTES_LIMIT + RAW, "more than 1048576 bytes"),
        ],
    )
    def test_is_refused_with_its_reason(self, raw: bytes, reason: str) -> None:
        with pytest.raises(MalformedError, match=reason):
            parse_note(raw)

    def test_a_hundred_signatures_are_read(self) -> None:
        raw = RAW + RAW.splitlines(keepends=True)[-1] * 98
        assert len(parse_note(raw).signatures) == 100

    def test_no_cut_of_a_note_is_a_note_of_its_text(self) -> None:
        for end in range(len(RAW)):
            try:
                note = parse_note(RAW[:end])
            except MalformedError:
                continue
            assert note.text == TEXT
            assert RAW[end - 1 : end] == b"\n"
