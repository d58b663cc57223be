"""The audit trail: who of the staff did what, when and why. The admin and the commands record through it."""
