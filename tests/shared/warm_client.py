"""Ask `warm_server.py` for a process, and be in its place: streams, folder, environment, signals and exit code are the same.

`warm_client.py SOCKET [-c CODE] ARGUMENT...`, begun with `python -IS`. It imports only what is loaded in no time.
"""

import _signal as signal
import _socket as socket
import marshal
import os
import sys
from array import array
from functools import partial

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def ask(path: str, arguments: list[str]) -> socket.socket:
    """Send what this process is to the server at ``path``; return the connection on which it answers."""
    code = ""
    if arguments[:1] == ["-c"]:
        _, code, *arguments = arguments
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    request = {"code": code, "arguments": arguments, "folder": os.getcwd(), "environment": dict(os.environ)}
    data = marshal.dumps(request)
    connection.sendmsg([len(data).to_bytes(8, "big")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", range(3)))])
    connection.sendall(data)
    for stream in range(3):
        os.close(stream)
    return connection


def send_on(process: int, number: int, _frame: object) -> None:
    os.kill(process, number)


def ending(connection: socket.socket) -> int:
    """Return the exit code of the process, to which signals are sent on."""
    answer = b""
    while answer.count(b"\n") < 2:
        more = connection.recv(100)
        if not more:
            return 255
        answer += more
        if answer.count(b"\n") == 1:
            for number in ENDS:
                signal.signal(number, partial(send_on, int(answer)))
    return int(answer.split()[1])


code = ending(ask(sys.argv[1], sys.argv[2:]))
if code < 0:
    if -code in ENDS:
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
os._exit(code)
