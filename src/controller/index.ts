/** The shell around the engine: observes, saves, carries out, and looks after pods until they are gone. */

export { type Controller, startController } from "./controller.js";
export type { ControllerOptions, Election } from "./options.js";
export type { ControllerParts } from "./parts.js";
