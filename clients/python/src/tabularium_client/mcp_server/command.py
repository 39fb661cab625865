"""The command `tabularium-mcp`: a server over standard input and output, or over HTTP."""

from __future__ import annotations

import os
import signal
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import anyio
import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from tabularium_client.async_client import AsyncClient
from tabularium_client.keys import KeyFile
from tabularium_client.mcp_server.server import agent_server
from tabularium_client.retries import Retries

SERVER: Final = "http://127.0.0.1:8000"
HOST: Final = "127.0.0.1"
PORT: Final = 8001
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
PATIENCE: Final = Retries(attempts=4, longest_wait=2.0)  # a model is told of a longer Retry-After


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of the command."""
    variables = os.environ.get
    add = parser.add_argument
    add(
        "--server",
        default=variables("TABULARIUM_SERVER") or SERVER,
        help=f"the server of the games (default: TABULARIUM_SERVER, or {SERVER})",
    )
    add(
        "--key-file",
        type=Path,
        default=Path(variables("TABULARIUM_KEY_FILE") or default_key_file()),
        help="a JSON object with the key of each server; the key of a new guest is kept in it"
        " (default: TABULARIUM_KEY_FILE, or tabularium/keys.json in the configuration folder)",
    )
    add("--http", action="store_true", help="serve streamable HTTP instead of standard input")
    add("--host", default=HOST, help=f"the address to listen on (default: {HOST})")
    add("--port", type=int, default=PORT, help=f"the port to listen on (default: {PORT})")
    add(
        "--allow-host",
        action="append",
        default=[],
        metavar="NAME",
        help="another value of Host to accept, such as mcp.example.org; may be repeated",
    )


def default_key_file() -> Path:
    """The file of keys in the user's configuration folder."""
    folder = os.environ.get("XDG_CONFIG_HOME")
    return (Path(folder) if folder else Path.home() / ".config") / "tabularium" / "keys.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client goes away."""
    parser = ArgumentParser(prog="tabularium-mcp", description="Let agents play on Tabularium.")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    if sentence := misfit(options):
        parser.error(sentence)
    serve(options)
    return 0


def misfit(options: Namespace) -> str:
    """The reason why it cannot serve with these options, or ""."""
    if options.http and options.host not in LOOPBACK and not options.allow_host:
        return f"--host {options.host} needs --allow-host with the name by which it is reached"
    try:
        KeyFile(options.key_file).load(options.server)
    except (AttributeError, OSError, ValueError):
        return f"{options.key_file} cannot be read as a JSON object with the key of each server"
    return ""


def serve(options: Namespace) -> None:
    """Serve with these options, until the client goes away or Ctrl-C."""
    if not options.http:  # or else Ctrl-C would wait for the line that is being read
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    with suppress(KeyboardInterrupt):
        anyio.run(_serve, options)


async def _serve(options: Namespace) -> None:
    options.key_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = os.environ.get("TABULARIUM_KEY") or None
    keys = KeyFile(options.key_file)
    async with AsyncClient(options.server, key=key, keys=keys, retries=PATIENCE) as client:
        if options.http:
            await _serve_http(client, options)
        else:
            server = agent_server(client)
            async with stdio_server() as (reading, writing):
                await server.run(reading, writing, server.create_initialization_options())


async def _serve_http(client: AsyncClient, options: Namespace) -> None:
    app = agent_server(client).streamable_http_app(
        stateless_http=True, transport_security=security(options.port, options.allow_host)
    )
    host = f"[{options.host}]" if ":" in options.host else options.host
    sys.stdout.write(f"For agents: http://{host}:{options.port}/mcp (stop with Ctrl-C)\n")
    sys.stdout.flush()
    config = uvicorn.Config(app, options.host, options.port, log_level="warning")
    await uvicorn.Server(config).serve()


def security(port: int, allowed: Sequence[str]) -> TransportSecuritySettings:
    """The values of Host and Origin that are accepted: those of this machine, and `allowed` hosts.
    A page of another origin is refused, also one that has made its name lead here."""
    names = ["127.0.0.1", "localhost", "[::1]"]
    hosts = [f"{name}:{port}" for name in names]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*hosts, *allowed],
        allowed_origins=[f"http://{host}" for host in hosts]
        + [f"https://{host}" for host in allowed],
    )
