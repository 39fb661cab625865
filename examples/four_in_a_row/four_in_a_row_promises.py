"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "f71f0f3486d5642cd9e7ddb9d98f75889f2b676f84f9fb7b68a0c344f136088b",
        "checks": "b31ef388e879cdb7ad7640caa0f345880f083b2a9c84329e598b40a31bc76d97",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
