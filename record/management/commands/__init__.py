"""Management commands of the public record."""
