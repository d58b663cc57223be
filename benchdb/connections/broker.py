"""What BenchDB adds to kombu's way with Redis as a broker."""

from __future__ import annotations

from kombu.transport import redis, virtual


class Deliveries(redis.QoS):
    """Which messages a worker is at.

    kombu is done with a message when Redis has taken its acknowledgement. Where Redis hangs at that moment, it logs so,
    and counts the message among those that the worker is at, for ever: a worker whose processes have one message each
    at a time takes fewer others, or none, though its heart beats. Here the worker is done with it either way. What
    Redis was not told comes again after `visibility_timeout`, and every task may be done twice.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge a message. Raises an error of the broker's, which its caller logs."""
        try:
            redis.QoS.ack(self, delivery_tag)
        finally:
            virtual.QoS.ack(self, delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        """Give a message back, or drop it. Raises the same."""
        try:
            redis.QoS.reject(self, delivery_tag, requeue)
        finally:
            virtual.QoS.ack(self, delivery_tag)


def be_done_either_way() -> None:
    """Let all connections use `Deliveries`: no setting chooses the transport of `redis+socket:` addresses."""
    redis.Channel.QoS = Deliveries
