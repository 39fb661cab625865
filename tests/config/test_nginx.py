"""The configuration for nginx agrees with docs/operating.md, and nginx passes requests on."""

from __future__ import annotations

import http.client
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import orjson
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import settings

from bench.ports import free_port
from config.http_server.limit_settings import ConnectionLimits
from games.audit.size_budget import EXPORT_BUDGET
from tests.api.streams.serving import Web
from tests.config.processes import PATIENCE, soon
from tests.support.databases import Kept
from tests.support.missing_requirements import skip_or_fail

pytestmark = pytest.mark.lane("processes")

ROOT: Final = Path(__file__).parents[2]
CONFIGURATION: Final = (ROOT / "docker/nginx.conf").read_text()
NGINX: Final = shutil.which("nginx") or "/usr/sbin/nginx"
MAIN_CONFIGURATION: Final = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 256; }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {config}
}}
"""


def seconds_of(name: str) -> list[int]:
    """The values of a time directive."""
    return [int(value) for value in re.findall(rf"\b{name} (\d+)s;", CONFIGURATION)]


def test_its_limits_fit_ours() -> None:
    limits = ConnectionLimits()
    assert max(seconds_of("keepalive_timeout")) < limits.idle_seconds
    assert seconds_of("client_header_timeout") == [limits.head_seconds]
    assert seconds_of("client_body_timeout") == [limits.body_seconds]
    assert seconds_of("send_timeout") == [limits.reply_stall_seconds]
    assert min(seconds_of("proxy_read_timeout")) > 4 * settings.STREAM_HEARTBEAT
    sizes = re.findall(r"client_max_body_size (\d+)m;", CONFIGURATION)
    assert [int(size) << 20 > EXPORT_BUDGET.total_bytes for size in sizes] == [True]


def test_streams_are_not_buffered_and_nothing_is_sent_twice() -> None:
    locations = CONFIGURATION.split("location ")[1:]
    assert len(locations) == 2
    for location in locations:
        assert "proxy_next_upstream off;" in location
        assert "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;" in location
    assert "proxy_buffering off;" in locations[1]


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A self-made certificate, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    x509_certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    coding, format_ = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    (tmp_path / "fullchain.pem").write_bytes(x509_certificate.public_bytes(coding))
    private = key.private_bytes(coding, format_, serialization.NoEncryption())
    (tmp_path / "privkey.pem").write_bytes(private)
    return tmp_path


def adapt_configuration(certificate: Path, port: int, upstream: int) -> str:
    """The written configuration, on other ports and with another certificate."""
    text = re.sub(r"listen \[::\]:\d+[^;]*;", "", CONFIGURATION)
    text = text.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    text = text.replace("listen 443 ", f"listen 127.0.0.1:{port} ")
    text = text.replace("games.example.org", "localhost")
    text = text.replace("127.0.0.1:8000", f"127.0.0.1:{upstream}")
    text = text.replace("/etc/ssl/tabularium", str(certificate))
    return MAIN_CONFIGURATION.format(folder=certificate, config=text)


@pytest.fixture
def web(kept: Kept) -> Iterator[Web]:
    """A server behind a proxy."""
    served = Web(kept, TABULARIUM_PROXIES="127.0.0.1", TABULARIUM_STREAM_HEARTBEAT="1")
    yield served
    served.close()


@pytest.fixture
def nginx_port(web: Web, certificate: Path) -> Iterator[int]:
    """The port of an nginx in front of the server."""
    if not Path(NGINX).exists():
        skip_or_fail("nginx is not installed here")
    nginx_port = free_port()
    config = certificate / "nginx.conf"
    config.write_text(adapt_configuration(certificate, nginx_port, web.port))
    subprocess.run([NGINX, "-t", "-c", config, "-p", certificate], check=True, capture_output=True)
    process = subprocess.Popen([NGINX, "-c", config, "-p", certificate], stderr=subprocess.DEVNULL)

    def is_answering() -> bool:
        with suppress(OSError):
            return ask(nginx_port, certificate, "GET", "/api/v1/healthz")[0] == 200
        return False

    try:
        assert soon(is_answering), (certificate / "errors").read_text()
        yield nginx_port
    finally:
        process.terminate()
        process.wait()


def connect(port: int, certificate: Path) -> http.client.HTTPSConnection:
    """A client that trusts only this certificate."""
    ssl_context = ssl.create_default_context(cafile=str(certificate / "fullchain.pem"))
    return http.client.HTTPSConnection("localhost", port, timeout=PATIENCE, context=ssl_context)


def ask(
    port: int, certificate: Path, method: str, path: str, body: bytes = b""
) -> tuple[int, bytes]:
    """The status and the content of a reply."""
    with closing(connect(port, certificate)) as connection:
        connection.request(method, path, body or None, {"Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()


def test_nginx_passes_requests_refusals_and_streams_on(nginx_port: int, certificate: Path) -> None:
    status, content = ask(nginx_port, certificate, "POST", "/api/v1/guests")
    secret = orjson.loads(content)["secret"]
    assert status == 201
    status, content = ask(nginx_port, certificate, "POST", "/api/v1/guests", b"x" * 1_000_000)
    assert (status, orjson.loads(content)["code"]) == (413, "too-large")
    with closing(connect(nginx_port, certificate)) as connection:
        headers = {"Authorization": f"Bearer {secret}", "Accept": "text/event-stream"}
        connection.request("GET", "/api/v1/me/stream", headers=headers)
        response = connection.getresponse()
        assert response.status == 200
        assert response.readline()  # a heartbeat, as soon as it is sent
