"""The guardrail as a service: the command line's rows over HTTP, for chatbots that live somewhere else."""

from core.service.app import Serving, service

__all__ = ["Serving", "service"]
