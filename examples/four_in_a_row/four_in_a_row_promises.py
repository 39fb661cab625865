"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "45ea53b781d8d2fca88840cbd54c79da7e11be6a9ec8cac54a56d7a6799bcb44",
        "checks": "2a3da2507cd064c4c6b85f22ab4209b144e12e4abaf91cd41d3f43d5786f0873",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
