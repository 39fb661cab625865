"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "8c3e207e139dc88274d1a8c8874a0a1951cacbb1c100e2722d3166bbdd16f498",
        "checks": "a26a8bf667874d938900f314e2d11b179edfd2b4773572c6eda42c2a7d7816a1",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
