"""The builds of the rules and the search, and the choice of the one that runs."""
