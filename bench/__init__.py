"""How fast are the rules and the search, beside what others offer? `make bench` tells."""
