"""How the tables of the API have grown."""
