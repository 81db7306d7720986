/** What the engine is told once, for all workflows: settings of the controller and the pieces it does not know itself. */

import type { ArtifactRepository } from "../model/argo/artifact.js";
import type { Metadata, Template } from "../model/argo/template.js";
import type { Workflow, WorkflowSpec } from "../model/argo/workflow.js";
import type { PodConfig } from "../podspec/index.js";
import type { Facts, Need } from "./contract.js";

export interface EngineOptions {
  readonly pod: PodConfig;
  /** config workflowDefaults: below every workflow. */
  readonly workflowDefaults?: { readonly metadata?: Metadata; readonly spec?: WorkflowSpec };
  /** config artifactRepository: where outputs go unless the workflow or template names another place. */
  readonly artifactRepository?: ArtifactRepository;
  /** What is wrong with a workflow at first sight; it then fails with `invalid spec: …`. Or what it needs to know. */
  readonly validate?: (workflow: Workflow, facts: Facts) => string | Need | undefined;
  /** Another template to run in a template's place, whatever its kind (a stub); undefined: the template itself. */
  readonly standIn?: (template: Template) => Template | undefined;
  /** config failedPodRestart.maxRestarts; 0 (the default): a pod that failed before main began is not made again. */
  readonly podRestartsMax?: number;
  /** What an eviction makes of a node: Argo's Failed (the default), or Error. */
  readonly disruption?: "Failed" | "Error";
  readonly limits?: EngineLimits;
  /** Told when the engine contradicts itself, such as a move of a node that the table of phases does not hold. */
  readonly onDefect?: (message: string) => void;
}

export interface EngineLimits {
  /** Templates inside one another; Argo's 100. */
  readonly depthMax?: number;
}

export const defaultDepthMax = 100;
