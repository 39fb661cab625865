"""Running a module tied to its parent process: `python -m config.supervisor.run_tethered <parent>
<module> …`."""

from __future__ import annotations

import runpy
import sys

from config.supervisor.tether import tie_to_parent

parent, module = int(sys.argv[1]), sys.argv[2]
del sys.argv[0:2]
tie_to_parent(parent)
runpy.run_module(module, run_name="__main__", alter_sys=True)
