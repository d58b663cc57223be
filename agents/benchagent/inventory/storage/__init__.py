"""Facts about storage: block devices, RAID, device mapper, file systems and the stack between a directory and its
disks. Used by `inventory`, and by `targets` for devices.
"""
