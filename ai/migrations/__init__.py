"""How the tables of bots have grown."""
