"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "567b61988b4eb914ff6e6af355d8b7cd53d94f489e748baeec59cc07dae3cf2c",
        "checks": "1eaa9c7680450b78c5a59faa86364f8c29201d253de87516ddef3a3c1decd445",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
