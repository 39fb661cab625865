"""The arena: matches between bots over the same deals, with confidence intervals."""
