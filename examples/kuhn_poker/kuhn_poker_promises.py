"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "3114900d95bc672cfc0725d6daee7b5ea0f5b956af3f5d46122faa84722656dc",
        "checks": "94067ca0262824ac473babf96f344759186791d162d9f6974193901d8224e7ed",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
