"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "65b4cc54424edffee2b31638c40ba196b83d02ef32a568e511bfd31aee4e63fc",
        "checks": "435e476964b40adea6b2dea2494ac9a202b545c2598f6ac656324b34753c5c9a",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
