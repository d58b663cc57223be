"""Names of machines: a name sent with private runs only never appears in public."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Q

from benchdb.catalog.models import Machine

from .models import Visibility

WIDER = {
    Visibility.PRIVATE: (Visibility.UNLISTED, Visibility.PUBLIC),
    Visibility.UNLISTED: (Visibility.PUBLIC,),
    Visibility.PUBLIC: (),
}


def keep_machine(owner: User, machine_id: str, name: str, visibility: Visibility) -> tuple[Machine, bool]:
    """The owner's machine with this id, created or renamed as the agent sends it now; the bool is whether it is new.

    `visibility` is that of the run or campaign being stored. The old name stays if the machine has a run or campaign
    that more people can see. The caller charges a new machine to the owner.
    """
    machine, created = Machine.objects.get_or_create(owner=owner, machine_id=machine_id, defaults={"name": name})
    if not created and machine.name != name and not _more_people_see(machine, visibility):
        machine.name = name
        machine.save(update_fields=["name"])
    return machine, created


def _more_people_see(machine: Machine, visibility: Visibility) -> bool:
    wider = WIDER[visibility]
    seen = Q(runs__runstate__visibility__in=wider) | Q(campaigns__visibility__in=wider)
    return Machine.objects.filter(seen, pk=machine.pk).exists()
