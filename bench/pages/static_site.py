"""A server of a static page, in this process: files in memory, and the same reply to every POST."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final
from urllib.parse import urlsplit

FOLDER: Final = Path(__file__).with_name("static")
TYPES: Final = {"html": "text/html", "js": "text/javascript", "svg": "image/svg+xml"}


class StaticSite(ThreadingHTTPServer):
    """Files by their names."""

    daemon_threads = True

    def __init__(self, files: Mapping[str, bytes]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = {file.name: file.read_bytes() for file in FOLDER.iterdir()} | dict(files)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Be silent about browsers that leave before they have read all."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """Replies from memory, on connections that stay open."""

    server: StaticSite
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        name = urlsplit(self.path).path.removeprefix("/") or "index.html"
        if name in self.server.files:
            self._reply(200, name, self.server.files[name])
        else:
            self._reply(404, name, b"")

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._reply(200, "", b"{}")

    def _reply(self, status: int, name: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", TYPES.get(name.rpartition(".")[2], "text/plain"))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Be silent."""


@contextmanager
def serve(files: Mapping[str, bytes]) -> Iterator[str]:
    """The address of the static page, beside which these files lie."""
    with StaticSite(files) as site:
        thread = Thread(target=site.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{site.server_port}/"
        finally:
            site.shutdown()
            thread.join()
