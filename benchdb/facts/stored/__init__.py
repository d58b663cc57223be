"""The JSON columns of runs, environments and targets, with the keys that the server reads.

`benchdb/ingest/contract` checks them when a document is stored, and defines their units. A key that has a default there
may be missing, and None is an unknown value.
"""

from .environment import (
    StoredArray,
    StoredController,
    StoredCpu,
    StoredCpuCache,
    StoredDevice,
    StoredEnvironment,
    StoredKernel,
    StoredMemory,
    StoredModule,
    StoredNode,
    StoredSystem,
    StoredVirtualization,
)
from .run import (
    StoredArrayState,
    StoredEvidence,
    StoredLayout,
    StoredProtocol,
    StoredRound,
    StoredSmartFact,
    StoredState,
)
from .target import StoredFileSystem, StoredLayer, StoredMount, StoredTarget
from .values import Parameters, Provenances, Scalar, StoredContradiction

__all__ = [
    "Parameters",
    "Provenances",
    "Scalar",
    "StoredArray",
    "StoredArrayState",
    "StoredContradiction",
    "StoredController",
    "StoredCpu",
    "StoredCpuCache",
    "StoredDevice",
    "StoredEnvironment",
    "StoredEvidence",
    "StoredFileSystem",
    "StoredKernel",
    "StoredLayer",
    "StoredLayout",
    "StoredMemory",
    "StoredModule",
    "StoredMount",
    "StoredNode",
    "StoredProtocol",
    "StoredRound",
    "StoredSmartFact",
    "StoredState",
    "StoredSystem",
    "StoredTarget",
    "StoredVirtualization",
]
