"""File systems of other machines. A pseudonym distinguishes the server from others without naming it."""

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
# File systems of this guest's host; their source is a tag without a server.
OF_THE_HOST = re.compile(r"9p|virtiofs|vboxsf|prl_fs|fuse\.vmhgfs-fuse")
SERVER_AND_SHARE = re.compile(r"(?://)?(\[[^\]]+\]|[^/:\[\]]+)[:/]+(.*)")


def network(mount: MountInfo) -> Facts:
    """The layer of a network mount. `server` and `share` are equal in all runs on the same server and share.

    The settings of the mount (rsize, wsize, version, sync, …) are in the mount options.
    """
    server, share = None, mount.source
    match = None if OF_THE_HOST.fullmatch(mount.type) else SERVER_AND_SHARE.fullmatch(mount.source)
    if match:
        server, share = match[1].lower().rstrip("."), match[2]
        if mount.type == "fuse.sshfs":
            server = server.rpartition("@")[2]
    facts = {"protocol": mount.type, "server": server and pseudonym(server), "share": pseudonym(f"{server}:{share}")}
    return {"kind": "network", "facts": facts}


def pseudonym(name: str) -> str:
    """16 hexadecimal digits for a name, the same on every machine; a reader who knows the name can recognize them."""
    return hmac.new(APPLICATION, name.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:16]
