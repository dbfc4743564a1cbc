"""The guardrail as a service: the command line's rows over HTTP, for chatbots elsewhere."""
