"""Who is told what happens, without asking? Every webhook, as Standard Webhooks describes it."""
