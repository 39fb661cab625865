"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "9c9fb7091c4e17f67fe9d96167c33d50273f4cf1c1278fef9263ec2b5185d644",
        "checks": "87eaecce822c0f81ed913971e603f543e2ba4e37717ff3180048037f21f83f00",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
