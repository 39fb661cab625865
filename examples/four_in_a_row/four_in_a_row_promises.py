"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "5c5a83bbc756df4ac7e24c514e1fd3decef62719c141a1112d9cd7b3c145d0a9",
        "checks": "02a454f6406f1e00af86cf4a933dbeb3eca263e0dfa98639c744dbde8d312a29",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
