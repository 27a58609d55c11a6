# Asks for each argument: a user or "user@/path". "+1" moves the client's clock on by a second, "-"
# breaks its connection. Prints what the client answers.
import socket
import sys
import time

now = time.monotonic()
time.monotonic = lambda: now
from weir_client import Weir

port, when_away, timeout = int(sys.argv[1]), sys.argv[2], float(sys.argv[3])
with open("token") as file:
    weir = Weir("127.0.0.1", port, file.read(), when_away=when_away, timeout=timeout)
for word in sys.argv[4:]:
    if word.startswith("+"):
        now += float(word)
        continue
    if word == "-":
        weir._connection.sock.shutdown(socket.SHUT_RDWR)
        continue
    user, _, path = word.partition("@")
    answer = weir.check(userId=user, endpoint=path or "/api/posts", method="GET")
    print("admitted" if answer.allowed else f"refused {answer.retry_after}")
