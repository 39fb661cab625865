"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "53897b31c9dafd5cec7aeb956644d16654353d7a6ef3cdb1a91a016bca9945a0",
        "checks": "87eaecce822c0f81ed913971e603f543e2ba4e37717ff3180048037f21f83f00",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
