"""Games: models, logs, services and the registry of their rulesets."""
