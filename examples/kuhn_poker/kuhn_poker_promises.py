"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "52ee5b9b90ce21c98faef73be781be63aec20124ae384be4a3d6077aad94fc8f",
        "checks": "b31ef388e879cdb7ad7640caa0f345880f083b2a9c84329e598b40a31bc76d97",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
