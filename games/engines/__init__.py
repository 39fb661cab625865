"""The rule books: pure Python, no Django, no clock, no input or output, no global chance."""
