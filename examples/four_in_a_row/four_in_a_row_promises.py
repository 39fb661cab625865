"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "be8c3ac065a043f379cf169b77a72fdd8f975cba8b5ad59d7c5822bcc8ea5f88",
        "checks": "5b8baffe95f9c947cdcf7f707a3e006b13adaea5048a795654bd156ec2c8bfc5",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
