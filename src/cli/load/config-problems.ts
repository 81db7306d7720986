/** What is wrong with a given `workflow-controller-configmap`, and what of it is not obeyed here. */

import { readControllerConfig } from "../../core/engine/controller-config.js";
import { locateProblems } from "../../core/model/index.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import type { Problem } from "../../core/std/problem.js";
import { controllerConfig, controllerConfigName } from "./controller-config.js";
import type { LoadedResource } from "./resources.js";

export interface ConfigProblems {
  /** Cannot be read, or is no key: errors and warnings. */
  readonly faults: readonly Problem[];
  /** Refused (`not-yet`) or passed over (notices) on one machine. */
  readonly unsupported: readonly Problem[];
}

export function configProblems(objects: readonly KubeObject[], resources: readonly LoadedResource[]): ConfigProblems {
  const { problems } = readControllerConfig(controllerConfig(objects).data);
  const home = resources.find(
    ({ resource }) => resource.kind === "ConfigMap" && resource.metadata.name === controllerConfigName,
  );
  const located = home === undefined ? problems : locateProblems(problems, home.document);
  const isUnsupported = ({ code }: Problem): boolean => code === "not-yet" || code === "ignored";
  return {
    faults: located.filter((problem) => !isUnsupported(problem)),
    unsupported: located.filter(isUnsupported),
  };
}
