"""Which bot plays better? Bots against bots over the same deals, with confidence intervals."""
