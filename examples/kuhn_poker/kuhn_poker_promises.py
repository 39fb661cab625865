"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "4775a6f7a62bc6364781e12b2b8116ae9799fd21f7b317d141251ccadaa0886b",
        "checks": "5b8baffe95f9c947cdcf7f707a3e006b13adaea5048a795654bd156ec2c8bfc5",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
