"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "e7276ab0ff6943acc243533c266cc323b3b98c47db8d104238f0b654e78c0605",
        "checks": "a26a8bf667874d938900f314e2d11b179edfd2b4773572c6eda42c2a7d7816a1",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
