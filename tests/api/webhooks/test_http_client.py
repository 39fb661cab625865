"""Notices are posted to the address that was checked, within a time limit."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from ipaddress import ip_address as ip
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pytest_django import Settings

from api.webhooks import http_client
from api.webhooks.http_client import post
from api.webhooks.target_urls import NOT_PUBLIC_DETAIL
from bench.ports import free_port
from tests.api.webhooks.conftest import Receiver
from tests.config.processes import PATIENCE
from tests.support.received import read_request

Talk = Callable[[socket.socket], None]


@contextmanager
def server(talk: Talk) -> Iterator[int]:
    """A server that runs `talk` on one connection; its port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            try:
                connected, _ = listener.accept()
                with connected:
                    talk(connected)
            except OSError:
                return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        listener.close()
        thread.join(5)


class TestAnswers:
    def test_a_post_arrives_as_it_is(self, receiver: Receiver) -> None:
        result = post(receiver.url, b'{"a":1}', {"webhook-id": "msg_1"})
        assert result.is_success
        assert result.status == 204
        (request,) = receiver.requests
        assert request.path == "/hook?a=b"
        assert request.body == b'{"a":1}'
        assert request.headers["webhook-id"] == "msg_1"
        assert request.headers["Host"] == f"127.0.0.1:{receiver.server.server_port}"

    @pytest.mark.parametrize("status", [301, 302, 307, 308])
    def test_a_redirect_is_not_followed(self, receiver: Receiver, status: int) -> None:
        receiver.status, receiver.response_headers = (
            status,
            {"Location": receiver.url.replace("hook", "in")},
        )
        result = post(receiver.url, b"{}", {})
        assert not result.is_success
        assert result.status == status
        assert [request.path for request in receiver.requests] == ["/hook?a=b"]

    @pytest.mark.parametrize("status", [400, 404, 410, 429, 500, 503])
    def test_other_answers_are_no_good(self, receiver: Receiver, status: int) -> None:
        receiver.status = status
        result = post(receiver.url, b"{}", {})
        assert (result.is_success, result.status) == (False, status)

    def test_only_the_beginning_is_read(self, receiver: Receiver) -> None:
        receiver.status, receiver.text = 200, b"ab\0c\xff" + b"x" * 5_000_000
        result = post(receiver.url, b"{}", {})
        assert result.text.startswith("abc\ufffdx")
        assert len(result.text) <= http_client.MAX_ANSWER_BYTES

    def test_nothing_is_unpacked(self, receiver: Receiver) -> None:
        receiver.status, receiver.text = 200, b"no gzip"
        receiver.response_headers = {"Content-Encoding": "gzip"}
        assert post(receiver.url, b"{}", {}).text == "no gzip"

    def test_nobody_there(self, settings: Settings) -> None:
        settings.WEBHOOK_HOSTS = ["127.0.0.1"]
        port = free_port()
        result = post(f"http://127.0.0.1:{port}/", b"{}", {})
        assert result.status is None
        assert result.error == "The connection failed or was interrupted."

    def test_nonsense_instead_of_an_answer(self, settings: Settings) -> None:
        settings.WEBHOOK_HOSTS = ["127.0.0.1"]

        def talk(connected: socket.socket) -> None:
            read_request(connected)
            connected.sendall(b"SSH-2.0-none\r\n")

        with server(talk) as port:
            assert post(f"http://127.0.0.1:{port}/", b"{}", {}).error


class TestAddresses:
    def test_what_was_checked_is_what_is_connected_to(
        self, receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A name that resolves to another address the second time: it is resolved only once."""
        settings.WEBHOOK_HOSTS = []
        port = receiver.server.server_port
        addresses = iter(["93.184.216.34", "127.0.0.1", "127.0.0.1"])
        resolve, connected_hosts = socket.getaddrinfo, list[str]()
        looked_up_hosts: list[str] = []

        def look_up(host: str, port: int, *arguments: Any, **options: Any) -> Any:
            if host != "rebinding.example":
                return resolve(host, port, *arguments, **options)
            looked_up_hosts.append(host)
            return resolve(next(addresses), port, *arguments, **options)

        def connect(address: tuple[str, int], *_: Any, **__: Any) -> None:
            connected_hosts.append(address[0])
            raise ConnectionRefusedError

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        monkeypatch.setattr("urllib3.util.connection.create_connection", connect)
        result = post(f"http://rebinding.example:{port}/", b"{}", {})
        assert result.status is None
        assert connected_hosts == ["93.184.216.34"]
        assert looked_up_hosts == ["rebinding.example"]
        assert receiver.requests == []

    def test_without_the_check_it_would_arrive(
        self, receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same name, resolving to this machine: with permission, and without."""
        settings.WEBHOOK_HOSTS = ["rebinding.example"]
        resolve = socket.getaddrinfo

        def look_up(host: str, *arguments: Any, **options: Any) -> Any:
            return resolve(
                "127.0.0.1" if host == "rebinding.example" else host, *arguments, **options
            )

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        url = f"http://rebinding.example:{receiver.server.server_port}/"
        assert post(url, b"{}", {}).is_success
        settings.WEBHOOK_HOSTS = []
        result = post(url, b"{}", {})
        assert result.error == NOT_PUBLIC_DETAIL
        assert len(receiver.requests) == 1

    def test_the_second_address_is_tried(
        self, receiver: Receiver, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            http_client, "resolve_target", lambda target: [ip("127.0.0.9"), ip("127.0.0.1")]
        )
        assert post(receiver.url, b"{}", {}).is_success


class TestPatience:
    @pytest.fixture(autouse=True)
    def short(self, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
        monkeypatch.setattr(http_client, "TOTAL_TIMEOUT_SECONDS", 0.5)
        settings.WEBHOOK_HOSTS = ["127.0.0.1"]

    def post_to(self, talk: Talk, scheme: str = "http") -> http_client.PostResult:
        """The result of a post; it never returns if the post does not."""
        with server(talk) as port:
            return post(f"{scheme}://127.0.0.1:{port}/", b"{}", {})

    def test_who_says_nothing_is_not_waited_for(self) -> None:
        assert self.post_to(self.wait).error

    def test_who_says_one_letter_at_a_time_neither(self) -> None:
        result = self.post_to(lambda connected: self.drip(connected, b"HTTP/1.1 200 OK\r\nX: "))
        assert result.status is None
        assert result.error == "The request timed out."

    def test_a_body_that_never_ends_does_no_harm(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The time is over as soon as the body is read: it is too short on no machine."""
        ends: list[Callable[[], None]] = []

        def timer(_: float, end: Callable[..., None], arguments: list[Any]) -> threading.Timer:
            ends.append(partial(end, *arguments))
            return threading.Timer(PATIENCE, end, arguments)

        def read_until_the_end(response: Any) -> str:
            threading.Thread(target=ends[0]).start()
            return read_beginning(response)

        read_beginning = http_client._read_beginning
        monkeypatch.setattr(http_client, "TOTAL_TIMEOUT_SECONDS", PATIENCE)
        monkeypatch.setattr(http_client, "Timer", timer)
        monkeypatch.setattr(http_client, "_read_beginning", read_until_the_end)
        head = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
        result = self.post_to(lambda connected: self.drip(connected, head))
        assert result.is_success

    def test_an_encryption_that_never_begins(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(http_client, "CONNECT_TIMEOUT_SECONDS", 0.5)
        assert self.post_to(self.wait, "https").error

    @staticmethod
    def wait(connected: socket.socket) -> None:
        """Read until the other side disconnects."""
        while connected.recv(10_000):
            pass

    @staticmethod
    def drip(connected: socket.socket, head: bytes) -> None:
        """Send slowly until the other side disconnects."""
        read_request(connected)
        connected.sendall(head)
        while True:
            connected.sendall(b"x")
            threading.Event().wait(0.05)


# -- encryption -----------------------------------------------------------------------------------


def certificate(folder: Path, name: str) -> Path:
    """A certificate for a name, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private_key = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path = folder / f"{name}.pem"
    path.write_bytes(private_key + signed.public_bytes(serialization.Encoding.PEM))
    return path


class TestEncryption:
    def post_over_tls(
        self, path: Path, settings: Settings, patch: pytest.MonkeyPatch, is_trusted: bool
    ) -> http_client.PostResult:
        """The result of a post to hooks.example, whose server presents that certificate."""
        settings.WEBHOOK_HOSTS = ["hooks.example"]
        patch.setattr(http_client, "resolve_target", lambda target: [ip("127.0.0.1")])
        if is_trusted:
            patch.setattr(
                http_client, "trusted_ssl_context", lambda: ssl.create_default_context(cafile=path)
            )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path)

        def talk(connected: socket.socket) -> None:
            with context.wrap_socket(connected, server_side=True) as secure:
                read_request(secure)
                secure.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

        with server(talk) as port:
            return post(f"https://hooks.example:{port}/", b"{}", {})

    def test_the_certificate_is_for_the_name(
        self, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = certificate(tmp_path, "hooks.example")
        assert self.post_over_tls(path, settings, monkeypatch, is_trusted=True).is_success

    def test_one_for_another_name_is_not_believed(
        self, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = certificate(tmp_path, "other.example")
        result = self.post_over_tls(path, settings, monkeypatch, is_trusted=True)
        assert result.error == "The TLS certificate is not trusted, or the handshake failed."

    def test_one_that_nobody_vouches_for_is_not_believed(
        self, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = certificate(tmp_path, "hooks.example")
        result = self.post_over_tls(path, settings, monkeypatch, is_trusted=False)
        assert result.error == "The TLS certificate is not trusted, or the handshake failed."
