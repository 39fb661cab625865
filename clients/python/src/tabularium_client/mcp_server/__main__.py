"""`python -m tabularium_client.mcp_server`: the same as `tabularium-mcp`."""

from __future__ import annotations

import sys

from tabularium_client.mcp_server.command import main

sys.exit(main())
