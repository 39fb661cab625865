"""Webhook targets: public addresses only, however a private one is written or hidden."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from threading import BoundedSemaphore, Event
from typing import Any

import pytest
from pytest_django import Settings

from api.webhooks import target_urls
from api.webhooks.target_urls import (
    NOT_PUBLIC_DETAIL,
    ForbiddenTarget,
    is_public,
    parse_target,
    resolve_target,
)
from tests.config.processes import PATIENCE

PUBLIC = ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001::200e"]
NOT_PUBLIC = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.1",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",  # compatible
    "::ffff:127.0.0.1",  # mapped
    "::ffff:93.184.216.34",
    "::ffff:0:7f00:1",  # translated
    "64:ff9b::7f00:1",  # NAT64
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",  # Teredo
    "2001:10::1",
    "2001:db8::1",
    "2002:7f00:1::",  # 6to4
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
]
REFUSED = [
    "",
    "example.org/hook",
    "//example.org/hook",
    "ftp://example.org/",
    "file:///hook",
    "gopher://example.org/",
    "javascript:alert(1)",
    "http://",
    "http:///hook",
    "http://user@example.org/",
    "http://user:password@example.org/",
    "http://example.org@127.0.0.1/",
    "http://@example.org/",
    "http://example.org/#part",
    "http://example.org:22/",
    "http://example.org:25/",
    "http://example.org:0/",
    "http://example.org:65536/",
    "http://example.org:port/",
    "http://example.org\\@127.0.0.1/",
    "http://example.org/\r\nX: y",
    "http://example.org/ x",
    "http://exämple.org/",
    "http://127.1/",
    "http://127.0.0.1.:8080/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://0x7f000001/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0/",
    "http://[::1%25eth0]/",
    "http://[::1]/",
    "http://[v1.a]/",
    "http://[fe80::1%eth0]/",
    "http://.example.org/",
    "http://a..b/",
    "http://example.org/" + "x" * 500,
    *(f"http://[{each}]/" if ":" in each else f"http://{each}/" for each in NOT_PUBLIC),
]


@pytest.mark.parametrize("text", PUBLIC)
def test_what_everybody_can_reach_is_public(text: str) -> None:
    assert is_public(ip_address(text))


@pytest.mark.parametrize("text", NOT_PUBLIC)
def test_what_not_everybody_can_reach_is_not(text: str) -> None:
    assert not is_public(ip_address(text))


@pytest.mark.parametrize("url", REFUSED)
def test_what_is_refused_as_it_is_written(url: str) -> None:
    with pytest.raises(ForbiddenTarget):
        parse_target(url)


@pytest.mark.parametrize(
    ("url", "host", "path"),
    [
        ("https://example.org", "example.org", "/"),
        ("https://Example.org:443/a/b?c=d&e=%20", "example.org", "/a/b?c=d&e=%20"),
        ("http://hooks.example.org:8080/x", "hooks.example.org:8080", "/x"),
        ("http://93.184.216.34/", "93.184.216.34", "/"),
        ("https://[2606:4700:4700::1111]:8443/", "[2606:4700:4700::1111]:8443", "/"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example", "/"),
    ],
)
def test_what_is_accepted(url: str, host: str, path: str) -> None:
    target = parse_target(url)
    assert (target.host_header, target.path) == (host, path)


def resolve_all_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Resolve all names to these addresses; returns the list of names looked up."""
    looked_up = []

    def look_up(host: str, port: int, **_: Any) -> list[Any]:
        looked_up.append(host)
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses
        ]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return looked_up


class TestNames:
    def test_lead_to_public_addresses(self, monkeypatch: pytest.MonkeyPatch) -> None:
        resolve_all_to(monkeypatch, *PUBLIC)
        assert list(map(str, resolve_target(parse_target("https://example.org")))) == PUBLIC

    @pytest.mark.parametrize("place", NOT_PUBLIC)
    def test_may_not_lead_anywhere_else(self, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
        resolve_all_to(monkeypatch, place)
        with pytest.raises(ForbiddenTarget, match=NOT_PUBLIC_DETAIL):
            resolve_target(parse_target("https://example.org"))

    def test_may_not_even_among_others(self, monkeypatch: pytest.MonkeyPatch) -> None:
        resolve_all_to(monkeypatch, *PUBLIC, "10.0.0.1")
        with pytest.raises(ForbiddenTarget, match=NOT_PUBLIC_DETAIL):
            resolve_target(parse_target("https://example.org"))

    def test_that_nobody_knows(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def unknown(*_: Any, **__: Any) -> None:
            raise socket.gaierror("no such name")

        monkeypatch.setattr(socket, "getaddrinfo", unknown)
        with pytest.raises(ForbiddenTarget, match=NOT_PUBLIC_DETAIL):  # as for an internal address
            resolve_target(parse_target("https://example.org"))

    def test_that_no_name_server_answers_for(self, monkeypatch: pytest.MonkeyPatch) -> None:
        answering = Event()
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answering.wait() and [])
        monkeypatch.setattr(target_urls, "_lookup_slots", BoundedSemaphore(1))
        try:
            for _ in range(2):  # the second one finds no free slot
                with pytest.raises(TimeoutError):
                    target_urls.resolve_host("example.org", 443, seconds=0.05)
        finally:
            answering.set()
        assert target_urls._lookup_slots.acquire(timeout=PATIENCE)

    def test_that_this_machine_has_for_itself(self) -> None:
        with pytest.raises(ForbiddenTarget):
            resolve_target(parse_target("http://localhost:8000/"))

    def test_that_the_operator_allows(self, settings: Settings) -> None:
        settings.WEBHOOK_HOSTS = ["localhost", "::1"]
        assert any(
            each.is_loopback for each in resolve_target(parse_target("http://localhost:81/"))
        )
        assert resolve_target(parse_target("http://[::1]:81/"))
        with pytest.raises(ForbiddenTarget):
            parse_target("http://127.0.0.1/")
