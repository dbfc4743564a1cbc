"""The decisions of the chain for arrays of settings and cases: a whole bank, and what moving a slider would change."""
