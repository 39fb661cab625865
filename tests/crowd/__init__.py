"""The crowd (`make crowd`): thousands of games at once, with scripted people and bots, on hosts in
network namespaces of their own, while faults are injected."""
