"""The parameters that plans can give, by tool."""

from __future__ import annotations

from benchagent.plan import maintenance
from benchagent.tools import bonnie, iozone

PARAMETERS = {
    "iozone": iozone.PARAMETERS,
    "bonnie++": bonnie.PARAMETERS,
    "maintenance": maintenance.PARAMETERS,
}
