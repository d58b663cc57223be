"""The JSON columns of runs, environments and targets, with the keys that the server reads.

`benchdb/ingest/contract` checks them when a document is stored, and defines their units. A key that has a default there
may be missing, and None is an unknown value.
"""

from .environment import (
    ArrayFacts,
    ControllerFacts,
    CpuCacheFacts,
    CpuFacts,
    DeviceFacts,
    EnvironmentFacts,
    KernelFacts,
    MemoryFacts,
    ModuleFacts,
    NodeFacts,
    SystemFacts,
    VirtualizationFacts,
)
from .run import ArrayStateFacts, EvidenceFacts, LayoutFacts, ProtocolFacts, RoundFacts, StateFacts
from .target import FileSystemFacts, LayerFacts, MountFacts, TargetFacts
from .values import ContradictionFacts, Parameters, Provenances, Scalar

__all__ = [
    "ArrayFacts",
    "ArrayStateFacts",
    "ContradictionFacts",
    "ControllerFacts",
    "CpuCacheFacts",
    "CpuFacts",
    "DeviceFacts",
    "EnvironmentFacts",
    "EvidenceFacts",
    "FileSystemFacts",
    "KernelFacts",
    "LayerFacts",
    "LayoutFacts",
    "MemoryFacts",
    "ModuleFacts",
    "MountFacts",
    "NodeFacts",
    "Parameters",
    "ProtocolFacts",
    "Provenances",
    "RoundFacts",
    "Scalar",
    "StateFacts",
    "SystemFacts",
    "TargetFacts",
    "VirtualizationFacts",
]
