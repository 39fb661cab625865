"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "f71f0f3486d5642cd9e7ddb9d98f75889f2b676f84f9fb7b68a0c344f136088b",
        "checks": "8b9a335e435a6efbe32595a1d1020f072320f7534931446b5a865f7b794f32ad",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
