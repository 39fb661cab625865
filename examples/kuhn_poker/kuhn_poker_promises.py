"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "kuhn_poker rules version 1": {
        "rules": "9a1b85a0d937f22a100497d463d17e85794c3bf02565e2621682b66f838f0424",
        "checks": "26358643988cf16a87ac794a47cffb418be205167658c5db0570e0805909e251",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
