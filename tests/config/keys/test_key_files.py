"""The keys of a machine are created once, stored, and readable only by their owner."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.environment import ConfigurationError
from config.keys import key_files


class TestSecretKey:
    def test_is_made_once_and_readable_only_by_its_owner(self, tmp_path: Path) -> None:
        key = key_files.secret_key(tmp_path / "var")
        assert len(key) > 60
        assert key_files.secret_key(tmp_path / "var") == key
        assert key_files.secret_key(tmp_path / "elsewhere") != key
        (key_file,) = (tmp_path / "var").iterdir()
        assert stat.S_IMODE(key_file.stat().st_mode) == 0o600

    def test_is_taken_where_it_is_given(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("TABULARIUM_SECRET_KEY", "given")
        assert key_files.secret_key(tmp_path) == "given"
        assert not list(tmp_path.iterdir())


class TestKeys:
    def test_are_made_once(self, tmp_path: Path) -> None:
        signing, sealing = key_files.signing_keys(tmp_path), key_files.sealing_keys(tmp_path)
        assert not list(tmp_path.iterdir())  # not before they are needed
        assert [*key_files.signing_keys(tmp_path)] == [*signing]
        assert [*key_files.sealing_keys(tmp_path)] == [*sealing]
        assert [len(key) for key in (*signing, *sealing)] == [32, 32]
        assert signing[0] != sealing[0]
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        assert modes == {"signing_key": 0o600, "sealing_key": 0o600}

    def test_are_the_same_for_all_who_start_at_once(self, tmp_path: Path) -> None:
        with ThreadPoolExecutor(8) as executor:
            load = lambda _: key_files.signing_keys(tmp_path)[0]  # noqa: E731
            keys = set(executor.map(load, range(8)))
        assert len(keys) == 1

    def test_are_taken_where_they_are_given(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("TABULARIUM_SIGNING_KEY", "ab" * 32)
        monkeypatch.setenv("TABULARIUM_SEALING_KEYS", "01" * 32 + ", " + "02" * 32)
        assert [*key_files.signing_keys(tmp_path)] == [b"\xab" * 32]
        assert [*key_files.sealing_keys(tmp_path)] == [b"\x01" * 32, b"\x02" * 32]
        assert not list(tmp_path.iterdir())

    def test_may_be_several_in_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "signing_key").write_text("ab" * 32 + "\n" + "cd" * 32 + "\n")
        assert [*key_files.signing_keys(tmp_path)] == [b"\xab" * 32, b"\xcd" * 32]

    def test_are_one_or_several_and_not_both(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setenv("TABULARIUM_SIGNING_KEYS", "ab" * 32)
        assert len(key_files.signing_keys(tmp_path)) == 1
        monkeypatch.setenv("TABULARIUM_SIGNING_KEY", "ab" * 32)
        with pytest.raises(ConfigurationError, match="not both"):
            key_files.signing_keys(tmp_path)

    @pytest.mark.parametrize("text", ["", "sesame", "ab" * 31, "ab" * 33, "é" * 64])
    def test_have_64_digits_and_are_not_repeated(
        self, text: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        (tmp_path / "sealing_key").write_text(text, encoding="utf-8")
        monkeypatch.setenv("TABULARIUM_SIGNING_KEY", text or " ")
        for keys in (key_files.signing_keys, key_files.sealing_keys):
            with pytest.raises(ConfigurationError, match="64 hexadecimal digits") as failure:
                keys(tmp_path)[0]
            assert not text or text not in str(failure.value)
