"""Evaluation of labelled cases: they are measured once, then decided and counted under any thresholds."""
