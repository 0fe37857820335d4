#!/usr/bin/env python3
"""Stands between the node and its broker: cut_proxy.py HOST PORT FILE writes its own port to FILE.

SIGUSR1 cuts all connections, as a bad network does. New ones are carried at once.
"""
import asyncio
import pathlib
import signal
import sys

writers = set()


async def carry(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()


async def serve(reader, writer, host, port):
    try:
        far_reader, far_writer = await asyncio.open_connection(host, port)
    except OSError:
        writer.close()
        return
    pair = {writer, far_writer}
    writers.update(pair)
    try:
        await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))
    finally:
        writers.difference_update(pair)


def cut():
    for writer in list(writers):
        writer.transport.abort()


async def main():
    host, port, file = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, cut)
    server = await asyncio.start_server(lambda r, w: serve(r, w, host, port), "127.0.0.1")
    file.with_suffix(".part").write_text(f"{server.sockets[0].getsockname()[1]}\n")
    file.with_suffix(".part").rename(file)
    async with server:
        await server.serve_forever()


asyncio.run(main())
