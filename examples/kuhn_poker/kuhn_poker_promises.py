"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "54b5b57997425f0f0b76ba7a8ba828c705149b65b404c96e21903bf070658814",
        "checks": "a26a8bf667874d938900f314e2d11b179edfd2b4773572c6eda42c2a7d7816a1",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
