"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "d30e0a9cd0984a1e21e5d3446440f321b1e6baec2a7579db27989c320c234bdd",
        "checks": "9489a78a72af5099ebef57ecb28fdac8f36c3af6b5b5a2747dd73f1bd9326d75",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
