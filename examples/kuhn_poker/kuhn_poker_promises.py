"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "52ee5b9b90ce21c98faef73be781be63aec20124ae384be4a3d6077aad94fc8f",
        "checks": "8b9a335e435a6efbe32595a1d1020f072320f7534931446b5a865f7b794f32ad",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
