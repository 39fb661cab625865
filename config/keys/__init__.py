"""Which keys does this database need, does this server have them, and how are they replaced?"""
