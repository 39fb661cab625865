"""The engines for other programs: search, action numbers, tensors, PettingZoo, OpenSpiel."""
