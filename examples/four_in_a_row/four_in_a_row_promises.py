"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "01eb3130c79b56d490b9e9620ece6c59857195e838a0588e365048d72de56698",
        "checks": "26358643988cf16a87ac794a47cffb418be205167658c5db0570e0805909e251",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15],
    },
}
