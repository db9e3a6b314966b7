"""The child process that serves the embedded model; see `graph_flow.llm.transport.embedded`.

It reads its settings as one line of JSON from standard input, writes the server's address as one
line of JSON to standard output, and ends when standard input does: that pipe is closed when the
parent ends, for whatever reason.
"""

from __future__ import annotations

import os
import sys

import xllamacpp

from graph_flow.llm.transport.handshake import ServerAddress, ServerSettings


def main() -> None:
    """Serve the model until standard input ends."""
    answers = _keep_answers_apart()
    settings = ServerSettings.model_validate_json(sys.stdin.readline())
    server = _serve(settings)
    address = ServerAddress(url=server.listening_address)
    os.write(answers, f"{address.model_dump_json()}\n".encode())
    sys.stdin.read()
    os._exit(0)  # at once: nobody reads a generation under way any more


def _keep_answers_apart() -> int:
    """Return a descriptor of the parent's pipe, and redirect all other output to the log.

    The library writes to standard output from C++, which must not mix with the answer.
    """
    answers = os.dup(1)
    os.dup2(2, 1)
    return answers


def _serve(settings: ServerSettings) -> xllamacpp.Server:
    params = xllamacpp.CommonParams()
    params.model.path = settings.model_file
    params.model_alias = {settings.model_name}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [settings.key]
    params.n_parallel = settings.slots
    params.n_ctx = settings.context * settings.slots
    params.cpuparams.n_threads = settings.threads
    params.cpuparams_batch.n_threads = settings.threads
    params.ui = False
    params.verbosity = 1
    return xllamacpp.Server(params)


if __name__ == "__main__":
    main()
