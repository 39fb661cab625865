"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "4fcd37b1743792e8b1514a7742be461019ef8c118827dd6e274c0a619aa361b0",
        "checks": "376a1cdb62fcb2f5be77fe682cb3c36fde15b2cdb95525f8d4e8328df9f71122",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
