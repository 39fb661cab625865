"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "9992dcbbd1eb2b74c908e8b267db3b0520a5097c62f4631e9e6fe996499d226c",
        "checks": "58bf39549adae2d8b76509c16bd2ef8658ea1025b1c9f0221546c5371be6a0a0",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
