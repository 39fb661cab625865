"""How the parts are put together on this machine: settings, URLs and the server's entry points."""
