import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { askDaemon } from "./container-probe.js";

const OK = "HTTP/1.1 200 OK\r\nContent-Length: ";

async function daemon(answer: (socket: Socket) => void): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tiphys-probe-"));
  const path = join(folder, "socket");
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await rm(folder, { recursive: true });
  });
  return path;
}

test("a daemon that answers", async () => {
  const path = await daemon((socket) => socket.end(`${OK}18\r\n\r\n{"Version":"27.1"}`));
  expect(await askDaemon(path, 60_000)).toEqual({ state: "ready", version: "27.1" });
});

test("half an answer, another answer, no answer to the end: none of them is a daemon that works, and each is told", async () => {
  const cut = await daemon((socket) => socket.end(`${OK}1000\r\n\r\n{"Version"`));
  expect(await askDaemon(cut, 60_000)).toEqual({ state: "refused", reason: `${cut} gives half an answer` });
  const broken = await daemon((socket) => socket.end("HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno"));
  expect(await askDaemon(broken, 60_000)).toEqual({ state: "refused", reason: "its daemon answers 500" });
  const slow = await daemon((socket) => socket.write(`${OK}1000\r\n\r\n{`));
  expect(await askDaemon(slow, 50)).toEqual({ state: "silent" });
  expect(await askDaemon(`${slow}-none`, 60_000)).toMatchObject({ state: "absent" });
});
