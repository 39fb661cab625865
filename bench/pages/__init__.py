"""Benchmark of the pages in a real browser: loading, acting, replaying and verifying, each beside a
static page in the same run."""
