"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "9a3919715b8e6a854c98e2ba571766c6a417e3af44d99589aace5ff021c0c567",
        "checks": "c3d4c27320eaeae9d0dfe24780ca5c7cd19de6558189e66b3ebf9f27aad04ace",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
