/** A thread that plays batches of seeds: it says that it is there, is sent one, and answers what came of it. */

import { parentPort, workerData } from "node:worker_threads";
import { type Batch, type PlayOptions, playBatch } from "./batch.js";

const options = workerData as PlayOptions;

// Errors are made all the time, as answers; who wants to know where one comes from plays its seed alone.
Error.stackTraceLimit = 0;

parentPort?.on("message", (batch: Batch) => {
  // An error ends the thread, and whoever waits for its answer is told.
  void playBatch(batch, options).then((tally) => parentPort?.postMessage(tally));
});

parentPort?.postMessage("ready");
