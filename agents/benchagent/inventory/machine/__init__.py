"""Facts about the machine itself: processor, memory, board, kernel, controllers. Only `inventory` imports it."""
