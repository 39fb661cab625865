"""The engines for other programs: a catalogue, action numbers, tensors, PettingZoo, OpenSpiel."""
