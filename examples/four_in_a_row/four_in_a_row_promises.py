"""The promises that these rules keep, written by `manage.py check_game`."""

RECORD = {
    "four_in_a_row rules version 1": {
        "rules": "8acdbb4077e3158884986b94d0b3e578ca44ceb78db7d27c6957a532ff13ae45",
        "checks": "9489a78a72af5099ebef57ecb28fdac8f36c3af6b5b5a2747dd73f1bd9326d75",
        "promises": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14],
    },
}
