"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "0599e38ee7f48e93f36f3eb0babdbcce2d17cfc2871dbda3f19b457d84c8d3f0",
        "checks": "94067ca0262824ac473babf96f344759186791d162d9f6974193901d8224e7ed",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
