/** The shell around the engine: observes, saves, carries out, and looks after pods until they are gone. */

export { type Controller, type ControllerObserver, type ControllerOptions, startController } from "./controller.js";
export { type ControllerParts, controllerParts } from "./parts.js";
export type { ContainerSignals } from "./pods/ports.js";
