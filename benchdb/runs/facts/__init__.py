"""Facts of environments and targets as people read them: terms, the machine, the storage stack."""
