/** Validation of each kind that holds a workflow (Argo 4.1 behaviour 10.1, 10.2). */

import type { ClusterWorkflowTemplate, CronWorkflow, Workflow, WorkflowTemplate } from "../model/argo/workflow.js";
import type { KnownResource } from "../model/kinds.js";
import { scheduleFault } from "./cron-schedule.js";
import type { ValidateOptions, Validation } from "./options.js";
import type { Spot } from "./report.js";
import { checkScheduleZone, checkTimeZone, type TimeZones, type ZoneCheck } from "./time-zone.js";
import { validateSpec } from "./validate.js";

const NAME_MAX = 63;
/** A run's name is the cron workflow's and a time of ten digits. */
const CRON_NAME_MAX = 52;

/**
 * Everything that is wrong with a workflow, all at once: also in templates that nobody calls, in inline ones and in
 * those of the resources it refers to (told at the reference). Never throws. Paths are those of the workflow; pass the
 * problems through `locateProblems` for positions. Fields that this machine does not obey are not its business
 * (`unsupportedFieldsOf`), nor are unknown fields (the codec).
 */
export function validateWorkflow(workflow: Workflow, options: ValidateOptions): Validation {
  const { metadata, spec } = workflow;
  const values = options.mode === "lint" ? "optional" : "required";
  return validateSpec({ metadata, spec, path: "spec", isTemplate: false, values }, options, {
    before: (spot) => checkName(metadata.name, { word: "workflow", max: NAME_MAX }, spot),
    argo: "",
  });
}

/** As `argo lint`: any parameter of the workflow may come from who runs it. With `submit` its own need values. */
export function validateWorkflowTemplate(resource: WorkflowTemplate, options: ValidateOptions): Validation {
  return validateTemplates(resource, "workflow template", options);
}

/** As for a WorkflowTemplate. */
export function validateClusterWorkflowTemplate(
  resource: ClusterWorkflowTemplate,
  options: ValidateOptions,
): Validation {
  return validateTemplates(resource, "cluster workflow template", options);
}

function validateTemplates(resource: WorkflowTemplate, word: string, options: ValidateOptions): Validation {
  const { metadata, spec } = resource;
  const values = options.mode === "submit" || options.mode === "run" ? "required" : "optional";
  const { name: _name, ...unnamed } = metadata;
  return validateSpec({ metadata: unnamed, spec, path: "spec", isTemplate: true, values }, options, {
    before: (spot) => checkName(metadata.name, { word, max: NAME_MAX }, spot),
    argo: "",
  });
}

/** The workflow in it must be complete: nobody is asked when it starts. */
export function validateCronWorkflow(resource: CronWorkflow, options: ValidateOptions): Validation {
  const { metadata, spec } = resource;
  const { workflowMetadata } = spec;
  const started = {
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    ...(workflowMetadata?.labels === undefined ? {} : { labels: workflowMetadata.labels }),
    ...(workflowMetadata?.annotations === undefined ? {} : { annotations: workflowMetadata.annotations }),
  };
  const input = { metadata: started, spec: spec.workflowSpec, path: "spec.workflowSpec", isTemplate: false } as const;
  return validateSpec({ ...input, values: "required" }, options, {
    before: (spot) => {
      checkName(metadata.name, { word: "cron workflow", max: CRON_NAME_MAX }, spot);
      checkSchedule(resource, spot, options.timeZones);
    },
    argo: "cannot validate Workflow: ",
  });
}

function checkName(
  name: string | undefined,
  { word, max }: { readonly word: string; readonly max: number },
  spot: Spot,
): void {
  if (name === undefined || name.length <= max) return;
  const argo = `${word} name "${name}" must not be more than ${max} characters long (currently ${name.length})`;
  const message = `the name has ${name.length} characters, ${max} is the most`;
  spot.tell({ code: "bad-name", path: "metadata.name", message, argo });
}

const NOTHING: Validation = { problems: [], needs: [], argoError: undefined };

/** Of any resource; one that holds no workflow has nothing to say. Mode: of a Workflow `run`, else `lint`. */
export function validateResource(resource: KnownResource, options: ValidateOptions): Validation {
  switch (resource.kind) {
    case "Workflow":
      return validateWorkflow(resource, options);
    case "WorkflowTemplate":
      return validateWorkflowTemplate(resource, options);
    case "ClusterWorkflowTemplate":
      return validateClusterWorkflowTemplate(resource, options);
    case "CronWorkflow":
      return validateCronWorkflow(resource, options);
    default:
      return NOTHING;
  }
}

const POLICIES: readonly string[] = ["", "Allow", "Forbid", "Replace"];

function checkSchedule({ spec }: CronWorkflow, spot: Spot, zones: TimeZones | undefined): void {
  if ((spec.schedules?.length ?? 0) === 0) {
    const argo = "cron workflow must have at least one schedule";
    const hint = 'add schedules: ["0 3 * * *"]';
    spot.tell({
      code: "missing-field",
      path: "spec.schedules",
      message: "the cron workflow has no schedule",
      hint,
      argo,
    });
  }
  for (const [index, schedule] of (spec.schedules ?? []).entries()) {
    const fault = scheduleFault(schedule);
    if (fault === undefined) continue;
    const argo = `cron schedule ${schedule} is malformed: ${fault.argo}`;
    const { message, hint } = fault;
    spot.tell({ code: "bad-value", path: `spec.schedules[${index}]`, message, hint, argo });
  }
  if (zones !== undefined) checkZones(spec, { zones, spot });
  const policy: string = spec.concurrencyPolicy ?? "";
  if (!POLICIES.includes(policy)) {
    const argo = `'${policy}' is not a valid concurrencyPolicy`;
    const message = `"${policy}" is none of ${POLICIES.slice(1).join(", ")}`;
    spot.tell({ code: "bad-value", path: "spec.concurrencyPolicy", message, argo });
  }
  if ((spec.startingDeadlineSeconds ?? 0) < 0) {
    const argo = "startingDeadlineSeconds must be positive";
    spot.tell({
      code: "bad-value",
      path: "spec.startingDeadlineSeconds",
      message: "startingDeadlineSeconds must be 0 or more",
      argo,
    });
  }
}

function checkZones({ timezone = "", schedules = [] }: CronWorkflow["spec"], check: ZoneCheck): void {
  for (const [index, schedule] of schedules.entries()) checkScheduleZone(schedule, `spec.schedules[${index}]`, check);
  checkTimeZone(timezone, "spec.timezone", check);
}
