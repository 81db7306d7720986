/** The thread that packs and unpacks large archives: started from its own bundle, asked by messages. */

import { parentPort } from "node:worker_threads";
import { artifactErrorOf } from "../port.js";
import type { ArchiveReply, ArchiveTask } from "./messages.js";
import { packHere, unpackHere } from "./run.js";

const port = parentPort;
if (port === null) throw new Error("this is the entry of a worker thread");

port.on("message", (task: ArchiveTask) => {
  answer(task).then((reply) => port.postMessage(reply));
});

async function answer(task: ArchiveTask): Promise<ArchiveReply> {
  try {
    if (task.kind === "pack") await packHere(task.request);
    else await unpackHere(task.request);
    return { id: task.id };
  } catch (error) {
    const { code, message } = artifactErrorOf(error, "archive");
    return { id: task.id, error: { code, message } };
  }
}
