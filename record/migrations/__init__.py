"""Database migrations of the public record."""
