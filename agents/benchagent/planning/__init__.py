"""What a plan means on this machine: its files, sizes and options, what it will write and how long it will take."""
