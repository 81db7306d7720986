/** Whether a place has a living owner. */

import { connect } from "node:net";
import { placePaths } from "./place-paths.js";

/** Whether somebody takes connections at the place's socket. */
export function isOwned(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(placePaths(folder).socket);
    const answer = (owned: boolean): void => {
      socket.destroy();
      resolve(owned);
    };
    socket.once("connect", () => answer(true));
    // So many wait already that none is taken: by a process that is stopped.
    socket.once("error", (error: NodeJS.ErrnoException) => answer(error.code === "EAGAIN"));
  });
}
