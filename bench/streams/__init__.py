"""What do streams cost: a thousand that are idle, and the way of an entry from commit to client?"""
