"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "5c5a83bbc756df4ac7e24c514e1fd3decef62719c141a1112d9cd7b3c145d0a9",
        "checks": "c3d4c27320eaeae9d0dfe24780ca5c7cd19de6558189e66b3ebf9f27aad04ace",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
