"""The parameters that plans can set, by tool."""

from benchagent.plan import maintenance
from benchagent.tools import bonnie, fio, iozone

PARAMETERS = {
    "iozone": iozone.PARAMETERS,
    "bonnie++": bonnie.PARAMETERS,
    "fio": fio.PARAMETERS,
    "maintenance": maintenance.PARAMETERS,
}
