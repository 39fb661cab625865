"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "d0f3a716d1461a9ce58fe713caa0922aeacfb0a46dca2ba652615fb3bf43d9c5",
        "checks": "435e476964b40adea6b2dea2494ac9a202b545c2598f6ac656324b34753c5c9a",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
