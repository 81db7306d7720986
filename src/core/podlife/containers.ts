/** Which part each container of a pod plays: the executor's own, main, or the user's beside it. */

import type { Template } from "../model/argo/template.js";
import { msOfRfc3339 } from "../std/time.js";
import type { ContainerView, PodView } from "./view.js";

export const mainContainerName = "main";
export const initContainerName = "init";
/** `wait` stands in Argo's legacy layout and in ours, `supervisor` in the init-less one. */
export const executorContainerNames: readonly string[] = ["wait", "supervisor"];

const ARTIFACT_PLUGIN_INIT_PREFIX = "init-artifact-";

/** `init` is the executor's own; a user's init container is `other` (Argo 4.1 behaviour 5.10). */
export type ContainerRole = "init" | "main" | "executor" | "other";

export type RoleOf = (container: ContainerView) => ContainerRole;

/** The role of each container of a pod made from `template`; without one, only `main` is main. */
export function rolesFor(template: Template | undefined): RoleOf {
  const mains = mainNames(template);
  return ({ name }) => {
    if (mains.has(name)) return "main";
    if (executorContainerNames.includes(name)) return "executor";
    if (name === initContainerName || name.startsWith(ARTIFACT_PLUGIN_INIT_PREFIX)) return "init";
    return "other";
  };
}

function mainNames(template: Template | undefined): ReadonlySet<string> {
  const set = template?.containerSet?.containers;
  return set === undefined ? new Set([mainContainerName]) : new Set(set.map((container) => container.name));
}

export function allContainers(view: PodView): readonly ContainerView[] {
  return [...view.initContainers, ...view.containers];
}

export function isRunning({ state }: ContainerView): boolean {
  return state.kind === "running";
}

export function hasEnded({ state }: ContainerView): boolean {
  return state.kind === "terminated";
}

/** Undefined while it has not ended. */
export function exitCodeOf({ state }: ContainerView): number | undefined {
  return state.kind === "terminated" ? state.exitCode : undefined;
}

/** The latest end told by any of them, milliseconds since the epoch; undefined when none has told one. */
export function lastEndOf(containers: readonly ContainerView[]): number | undefined {
  const ends = containers.flatMap(({ state }) => {
    const end =
      state.kind === "terminated" && state.finishedAt !== undefined ? msOfRfc3339(state.finishedAt) : undefined;
    return end === undefined ? [] : [end];
  });
  return ends.length === 0 ? undefined : Math.max(...ends);
}
