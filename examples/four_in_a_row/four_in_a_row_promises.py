"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "f48b5b1573ec48790f72ec7d82a1abc901f0f85f1866d208e706039613b6ee70",
        "checks": "5b8baffe95f9c947cdcf7f707a3e006b13adaea5048a795654bd156ec2c8bfc5",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
