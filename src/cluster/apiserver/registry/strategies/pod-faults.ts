/** What Kubernetes refuses of a new pod: one that it took would wait, or fail, where nobody could say why. */

import type { KubeObject } from "../../../../core/model/kube/meta.js";
import type { Json } from "../../../../core/std/json.js";
import { objectField } from "../fields.js";
import { labelFault } from "../names.js";
import {
  duplicate,
  insideFaults,
  invalid,
  isText,
  missingFaults,
  type Part,
  partsOf,
  type Range,
  rangeFaults,
  required,
  wordFaults,
} from "./faults.js";
import { volumeFaults } from "./volume-faults.js";

const deadlines: Range = { min: 1, max: 2 ** 31 - 1, text: "must be between 1 and 2147483647, inclusive" };
const ports: Range = { min: 1, max: 65_535, text: "must be between 1 and 65535, inclusive" };
const variableName = /^[ -<>-~]+$/;
const variableNameText =
  "a valid environment variable name must consist only of printable ASCII characters other than '='";

export function newPodFaults(pod: KubeObject): readonly string[] {
  const spec: Part = { path: "spec", value: objectField(pod, "spec") };
  const containers = partsOf(spec, "containers");
  if (containers.length === 0) return [required("spec.containers")];
  const volumes = partsOf(spec, "volumes");
  const mountable = new Set(volumes.map(({ value }) => value["name"]));
  const all = [...partsOf(spec, "initContainers"), ...containers];
  return [
    ...nameFaults(volumes),
    ...volumes.flatMap(volumeFaults),
    ...nameFaults(all),
    ...all.flatMap((container) => containerFaults(container, mountable)),
    ...wordFaults(spec, "restartPolicy", ["Always", "OnFailure", "Never"]),
    ...rangeFaults(spec, "activeDeadlineSeconds", deadlines),
  ];
}

/** Folders of the machine that runs the pod are named so. */
function nameFaults(parts: readonly Part[]): readonly string[] {
  const names = new Set<Json>();
  return parts.flatMap(({ path, value: { name } }) => {
    if (!isText(name)) return [required(`${path}.name`)];
    const fault = labelFault(name);
    if (fault !== undefined) return [invalid(`${path}.name`, name, fault)];
    if (names.has(name)) return [duplicate(`${path}.name`, name)];
    names.add(name);
    return [];
  });
}

function containerFaults(container: Part, mountable: ReadonlySet<Json | undefined>): readonly string[] {
  return [
    ...partsOf(container, "ports").flatMap((port) => rangeFaults(port, "containerPort", ports)),
    ...partsOf(container, "env").flatMap(variableFaults),
    ...mountFaults(partsOf(container, "volumeMounts"), mountable),
    ...wordFaults(container, "imagePullPolicy", ["Always", "IfNotPresent", "Never"]),
    ...wordFaults(container, "terminationMessagePolicy", ["File", "FallbackToLogsOnError"]),
  ];
}

function variableFaults(variable: Part): readonly string[] {
  const { name, value, valueFrom } = variable.value;
  const path = `${variable.path}.name`;
  return [
    ...missingFaults(variable, "name"),
    ...(isText(name) && !variableName.test(name) ? [invalid(path, name, variableNameText)] : []),
    ...(isText(value) && valueFrom !== undefined
      ? [invalid(`${variable.path}.valueFrom`, "", "may not be specified when `value` is not empty")]
      : []),
  ];
}

function mountFaults(mounts: readonly Part[], mountable: ReadonlySet<Json | undefined>): readonly string[] {
  const paths = new Set<Json>();
  return mounts.flatMap((mount) => {
    const { name, mountPath } = mount.value;
    const faults = [
      ...missingFaults(mount, "name"),
      ...missingFaults(mount, "mountPath"),
      ...insideFaults(mount, "subPath"),
    ];
    if (isText(name) && !mountable.has(name)) faults.push(`${mount.path}.name: Not found: ${JSON.stringify(name)}`);
    if (isText(mountPath) && paths.has(mountPath))
      faults.push(invalid(`${mount.path}.mountPath`, mountPath, "must be unique"));
    if (isText(mountPath)) paths.add(mountPath);
    return faults;
  });
}
