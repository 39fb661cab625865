"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "9b24d96edec375adb499a2f2ca45fb64ef6d596488d0a5c5efc73f2978159143",
        "checks": "94067ca0262824ac473babf96f344759186791d162d9f6974193901d8224e7ed",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
