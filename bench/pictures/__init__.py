"""The benchmark of pictures: replays by the range against as many single pictures."""
