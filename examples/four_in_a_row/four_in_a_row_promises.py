"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "597b879501d0ced96a9be7a22e2064f4a88ca1dccc3a608b281c69c3f5777441",
        "checks": "58bf39549adae2d8b76509c16bd2ef8658ea1025b1c9f0221546c5371be6a0a0",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
