"""A correction of kombu's Redis transport, for a broker that hangs."""

from __future__ import annotations

from kombu.transport import redis, virtual


class ReleasingQoS(redis.QoS):
    """The messages that a worker works on, without those whose acknowledgement failed.

    kombu releases a message when Redis has taken its acknowledgement. If Redis hangs at that moment, kombu logs the
    error and counts the message as in progress for ever. A worker whose processes have one message each at a time then
    takes fewer messages or none, though its heartbeat goes on. This class releases the message in either case. Redis
    delivers an unacknowledged message again after `visibility_timeout`, and every task may run twice.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message. Raises the broker's error, which the caller logs."""
        try:
            redis.QoS.ack(self, delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Give a message back, or drop it. Raises the broker's error, which the caller logs."""
        try:
            redis.QoS.reject(self, delivery_tag, requeue)
        finally:
            virtual.QoS.ack(self, delivery_tag)


def install_releasing_qos() -> None:
    """Let all connections use `ReleasingQoS`: no setting chooses the transport of `redis+socket:` addresses."""
    redis.Channel.QoS = ReleasingQoS
