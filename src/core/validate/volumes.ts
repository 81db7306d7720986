/** Mounts of volumes that there are not: Argo finds them when the template runs, and so do we; who lints hears of it before. */

import type { Template } from "../model/argo/template.js";
import type { VolumeMount } from "../model/kube/pod.js";
import { fieldPath, itemPath } from "../model/path.js";
import type { FoundTemplate } from "./context.js";
import { meantOf } from "./explain-name.js";

/** No error: as long as the template does not run, nothing is wrong. */
export function checkVolumes({ template, path, home, spot }: FoundTemplate): void {
  if (home.volumes === undefined || spot.unread.within(fieldPath(path, "volumes"))) return;
  const known = new Set([...home.volumes, ...(template.volumes ?? []).map(({ name }) => name)]);
  for (const { mounts, at } of mountLists(template, path)) {
    for (const [index, { name }] of (mounts ?? []).entries()) {
      if (known.has(name) || name === "" || name.includes("{{")) continue;
      spot.tell({
        code: "unresolved",
        severity: "warning",
        path: fieldPath(itemPath(at, index), "name"),
        message: `no volume is called "${name}": the template fails when it runs`,
        hint: () => meantOf(name, known, "add it to spec.volumes", "there are"),
      });
    }
  }
}

interface MountList {
  readonly mounts: readonly VolumeMount[] | undefined;
  readonly at: string;
}

function mountLists(template: Template, path: string): readonly MountList[] {
  const { container, script, containerSet, initContainers, sidecars } = template;
  const listOf = (mounts: MountList["mounts"], owner: string): MountList => ({
    mounts,
    at: fieldPath(owner, "volumeMounts"),
  });
  const inList = (list: readonly { readonly volumeMounts?: readonly VolumeMount[] }[] | undefined, at: string) =>
    (list ?? []).map(({ volumeMounts }, index) => listOf(volumeMounts, itemPath(at, index)));
  const set = fieldPath(path, "containerSet");
  return [
    listOf(container?.volumeMounts, fieldPath(path, "container")),
    listOf(script?.volumeMounts, fieldPath(path, "script")),
    listOf(containerSet?.volumeMounts, set),
    ...inList(containerSet?.containers, fieldPath(set, "containers")),
    ...inList(initContainers, fieldPath(path, "initContainers")),
    ...inList(sidecars, fieldPath(path, "sidecars")),
  ];
}
