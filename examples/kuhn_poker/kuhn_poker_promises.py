"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "b186ba559f1accb95706381012ee696241f61f9644004cf847a6e09ba5f452f8",
        "checks": "94067ca0262824ac473babf96f344759186791d162d9f6974193901d8224e7ed",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
