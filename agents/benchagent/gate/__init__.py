"""`benchagent gate`: measures two sides in the same rounds until the server's verdicts decide. For `commands.gate`."""
