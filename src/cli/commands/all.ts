/** All commands but `version`, in one piece: to find and link many small files takes longer than to read one large one. */

export { command as controller } from "./controller.js";
export { command as cp } from "./cp.js";
export { command as deletion } from "./delete.js";
export { command as get } from "./get.js";
export { command as lint } from "./lint.js";
export { command as list } from "./list.js";
export { command as logs } from "./logs.js";
export { command as nodeSet } from "./node-set.js";
export { command as resume } from "./resume.js";
export { command as retry } from "./retry.js";
export { command as run } from "./run.js";
export { command as shell } from "./shell.js";
export { command as stop } from "./stop.js";
export { command as submit } from "./submit.js";
export { command as suspend } from "./suspend.js";
export { command as terminate } from "./terminate.js";
export { command as up } from "./up.js";
export { command as wait } from "./wait.js";
