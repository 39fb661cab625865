"""What does the log cost: to append to, to replay, and until a bot has answered?"""
