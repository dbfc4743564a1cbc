"""The guardrail as an HTTP service, with the rows of the command line, for other chatbots."""
