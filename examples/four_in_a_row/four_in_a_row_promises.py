"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "d89f72357cf186ca1223aac1efda93e629982ed171b1d33272b766aabedd92df",
        "checks": "1eaa9c7680450b78c5a59faa86364f8c29201d253de87516ddef3a3c1decd445",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
