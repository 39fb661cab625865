"""The needs of a server with so many games a day: a model, fitted to crowds and tried on others."""
