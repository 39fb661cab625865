"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "bc16e6563da19793fd224a0fe50ff446fcbdcadc2961343a3c37c499d68c21c1",
        "checks": "a26a8bf667874d938900f314e2d11b179edfd2b4773572c6eda42c2a7d7816a1",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17],
    },
}
