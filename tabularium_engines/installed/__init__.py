"""The rulesets that are installed: of this project and of packages, with their rule books."""
