"""Facts about the machine itself: processor, memory, board, kernel, controllers. Used by `inventory` only."""
