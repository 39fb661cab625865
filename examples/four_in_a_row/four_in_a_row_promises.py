"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "ad6b8527fadc4dfa6d5f1f64f0b372b695f6742688258da1ddb115f265826faf",
        "checks": "94067ca0262824ac473babf96f344759186791d162d9f6974193901d8224e7ed",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
