"""How the tables of games have grown."""
