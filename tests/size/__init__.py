"""The size suite (`make size`): every request on a store with millions of entries, beside the same
request on an empty store."""
