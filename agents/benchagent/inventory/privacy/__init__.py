"""What is private about a machine, and how texts are scrubbed of it before they reach the spool."""
