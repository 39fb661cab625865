"""How much may one caller ask? So much at once, and so much more as time goes by."""
