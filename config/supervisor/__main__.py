"""`python -m config.supervisor <parent> <module> …`: a module, run tied to its parent process."""

from __future__ import annotations

import runpy
import sys

from config.supervisor.tether import tie

parent, module = int(sys.argv[1]), sys.argv[2]
del sys.argv[0:2]
tie(parent)
runpy.run_module(module, run_name="__main__", alter_sys=True)
