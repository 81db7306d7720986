/** Container programs as children of this process: for processes that run no pods. */

import { execFile } from "node:child_process";
import type { PendingRequest } from "../host/helper-client.js";
import type { CommandStarter, ContainerRequestBody } from "./cli.js";
import type { CommandReply } from "./protocol.js";

export const directly: CommandStarter = {
  begin<T>(body: ContainerRequestBody): PendingRequest<T> {
    if (body.op !== "command") throw new Error(`${body.op} needs a helper`);
    const [file = "", ...args] = body.argv;
    const reply = new Promise<CommandReply>((resolve) => {
      execFile(
        file,
        args,
        { env: body.env, timeout: body.timeoutMs, killSignal: "SIGKILL" },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : 127;
          resolve({
            exitCode: code,
            stdout,
            stderr: stderr || (error?.message ?? ""),
            timedOut: error?.killed === true,
          });
        },
      );
    });
    // The answer to a command has this shape, whoever runs it.
    return { reply: reply as Promise<T>, cancel: () => undefined };
  },
};
