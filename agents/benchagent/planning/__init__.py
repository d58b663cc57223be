"""Adapts a plan to this machine: its files, sizes and options, the bytes it will write and its duration."""
