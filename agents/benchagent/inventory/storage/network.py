"""File systems of other machines. The server is told apart from others without being named."""

from __future__ import annotations

import hashlib
import hmac
import re

from benchagent.inventory.facts import Facts
from benchagent.inventory.identity import APPLICATION
from benchagent.inventory.mounts import MountInfo

NETWORK = re.compile(
    r"nfs4?|cifs|smb3|smbfs|ceph|afs|9p|virtiofs|lustre|orangefs|vboxsf|prl_fs|fuse\.(?:sshfs|glusterfs|ceph|vmhgfs-fuse)"
)
# Of these the other side is the host of this guest; what is mounted has a tag and no server.
OF_THE_HOST = re.compile(r"9p|virtiofs|vboxsf|prl_fs|fuse\.vmhgfs-fuse")
PLACE = re.compile(r"(?://)?(\[[^\]]+\]|[^/:\[\]]+)[:/]+(.*)")


def network(mount: MountInfo) -> Facts:
    """The layer of a network mount. `server` and `share` are the same in all runs on the same server and share.

    How it is mounted (rsize, wsize, version, sync, …) stands in the mount options.
    """
    server, share = None, mount.source
    place = None if OF_THE_HOST.fullmatch(mount.type) else PLACE.fullmatch(mount.source)
    if place:
        server, share = place[1].lower().rstrip("."), place[2]
        if mount.type == "fuse.sshfs":
            server = server.rpartition("@")[2]
    facts = {"protocol": mount.type, "server": server and pseudonym(server), "share": pseudonym(f"{server}:{share}")}
    return {"kind": "network", "facts": facts}


def pseudonym(name: str) -> str:
    """16 hexadecimal digits that stand for a name, the same on every machine; who knows the name can recognise it."""
    return hmac.new(APPLICATION, name.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:16]
