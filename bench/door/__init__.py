"""The speed of appends over HTTP in two checkouts of this project: both serve at the same time, and
are measured in turns."""
