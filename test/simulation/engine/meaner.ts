/** Workflows made meaner: what the usual ones have seldom or never is put into them here and there. */

import type {
  DAGTask,
  DAGTemplate,
  LifecycleHook,
  RetryStrategy,
  Template,
  WorkflowStep,
} from "../../../src/core/model/argo/template.js";
import type { Workflow, WorkflowSpec } from "../../../src/core/model/argo/workflow.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";

/** The name of a WorkflowTemplate that has all templates of the workflow, for those who refer to it. */
export const sharedName = "shared";

export function meaner(chance: SeededChance, workflow: Workflow): Workflow {
  const { spec } = workflow;
  const templates = spec.templates ?? [];
  const maker = new Meaner(chance, templates, JSON.stringify(spec).includes('"daemon":true') ? "daemons" : "limits");
  return {
    ...workflow,
    spec: { ...spec, ...maker.aroundWorkflow(), templates: templates.map((one) => maker.template(one)) },
  };
}

class Meaner {
  /** A template calls only those that come after it: nothing is inside itself. */
  #index = 0;

  constructor(
    private readonly chance: SeededChance,
    private readonly templates: readonly Template[],
    /** A daemon counts as active: where there are limits on that, it may hold up its own followers for ever, as in Argo. */
    private readonly special: "daemons" | "limits",
  ) {}

  template(template: Template): Template {
    this.#index = this.templates.indexOf(template);
    const { steps, dag, suspend } = template;
    if (suspend !== undefined) return { ...template, ...this.#sometimes(3, () => this.#answered()) };
    if (steps === undefined && dag === undefined) return { ...template, ...this.#aroundPod(template) };
    return {
      ...template,
      ...(steps !== undefined && { steps: steps.map((group) => group.map((step) => this.#step(step))) }),
      ...(dag !== undefined && { dag: this.#dag(dag) }),
      ...this.#aroundComposite(),
    };
  }

  aroundWorkflow(): Partial<WorkflowSpec> {
    const { chance } = this;
    const claim = { metadata: { name: "work" }, spec: { accessModes: ["ReadWriteOnce"] } };
    return {
      ...this.#sometimes(6, () => ({ onExit: this.#anyName() })),
      ...this.#sometimes(6, () => ({ hooks: this.#workflowHooks() })),
      ...this.#sometimes(10, () => ({ retryStrategy: this.#retryOfEach() })),
      ...this.#sometimes(6, () => ({ volumeClaimTemplates: [claim] })),
      ...this.#sometimes(3, () => ({
        volumeClaimGC: { strategy: this.#pick(["OnWorkflowCompletion", "OnWorkflowSuccess"] as const) },
      })),
      ...this.#sometimes(8, () => ({ activeDeadlineSeconds: 1 + chance.below(40) })),
      ...this.#limit(6),
    };
  }

  #workflowHooks(): NonNullable<WorkflowSpec["hooks"]> {
    const on = (status: string): LifecycleHook => ({
      template: this.#anyName(),
      expression: `workflow.status == "${status}"`,
    });
    const exit = { template: this.#anyName() };
    return this.#pick([
      { run: on("Running") },
      { ok: on("Succeeded"), bad: on("Failed") },
      { run: on("Running"), exit },
      { exit: { ...exit, expression: 'workflow.status == "Failed"' } },
    ]);
  }

  #aroundPod({ outputs, script, container }: Template): Partial<Template> {
    const { chance } = this;
    const y = { name: "y", globalName: "y", valueFrom: { path: "/tmp/y", default: "none" } };
    const mayBeDaemon = this.special === "daemons" && script === undefined && container !== undefined;
    return {
      ...this.#sometimes(4, () => ({ retryStrategy: this.#retry() })),
      ...this.#sometimes(10, () => ({ timeout: `${1 + chance.below(5)}s` })),
      ...this.#sometimes(10, () => ({ pendingTimeout: `${1 + chance.below(5)}s` })),
      ...this.#sometimes(14, () => ({ activeDeadlineSeconds: 1 + chance.below(5) })),
      ...this.#sometimes(8, () => ({ outputs: { ...outputs, parameters: [...(outputs?.parameters ?? []), y] } })),
      ...(mayBeDaemon && this.#sometimes(6, () => ({ daemon: true }))),
    };
  }

  /** Waits for an answer. */
  #answered(): Partial<Template> {
    const supplied = { supplied: {}, ...this.#sometimes(2, () => ({ default: "nobody said" })) };
    return { outputs: { parameters: [{ name: "x", valueFrom: supplied }] } };
  }

  #aroundComposite(): Partial<Template> {
    return {
      ...this.#limit(5),
      ...this.#sometimes(6, () => ({ failFast: true })),
      ...this.#sometimes(8, () => ({ retryStrategy: this.#retry() })),
    };
  }

  #limit(odds: number): { readonly parallelism?: number } {
    return this.special === "limits" ? this.#sometimes(odds, () => ({ parallelism: 1 + this.chance.below(2) })) : {};
  }

  #step<T extends WorkflowStep>(step: T): T {
    return { ...step, ...this.#loop(step), ...this.#aroundStep("steps", step) };
  }

  /** `continueOn` goes with `dependencies` only, the results of tasks with `depends` only. */
  #dag(dag: DAGTemplate): DAGTemplate {
    const isPlain = this.chance.below(3) === 0;
    const loops = new Set(dag.tasks.filter(isLoop).map(({ name }) => name));
    const tasks = dag.tasks.map((task): DAGTask => {
      const made = { ...task, ...this.#loop(task), ...this.#aroundStep("tasks", task) };
      if (isLoop(made)) loops.add(made.name);
      if (isPlain) return plain(made);
      const { continueOn: _, ...rest } = made;
      return { ...rest, ...(task.depends !== undefined && { depends: this.#depends(task.depends, loops) }) };
    });
    const names = tasks.map(({ name }) => name);
    return {
      ...dag,
      tasks,
      ...this.#sometimes(10, () => ({ target: this.#pick(names) })),
      ...this.#sometimes(4, () => ({ failFast: false })),
    };
  }

  #depends(depends: string, loops: ReadonlySet<string>): string {
    const usual = depends.replace(/(\w+)\.AnySucceeded/g, (text, name: string) => (loops.has(name) ? text : name));
    if (this.chance.below(3) > 0) return usual;
    const [first = ""] = /^\w+/.exec(usual) ?? [];
    const results = ["Errored", "Skipped", "Omitted", "Daemoned", "Failed", ...(loops.has(first) ? ["AllFailed"] : [])];
    const result = this.#pick(results);
    return this.#pick([`${usual} || ${first}.${result}`, `!${first}.${result}`, `${first}.${result}`]);
  }

  #loop(step: WorkflowStep): Partial<WorkflowStep> {
    if (isLoop(step)) return {};
    return this.#sometimes(7, () =>
      this.#pick<Partial<WorkflowStep>>([
        { withItems: [0, 1] },
        { withItems: [0, 1, 2], ...(step.when === undefined && { when: "{{item}} != 1" }) },
        { withSequence: { count: "0" } },
        { withParam: "[]" },
        { withParam: '["a", "b"]' },
      ]),
    );
  }

  #aroundStep(kind: "steps" | "tasks", step: WorkflowStep): Partial<WorkflowStep> {
    const { template = "" } = step;
    return {
      ...this.#sometimes(8, () => ({ continueOn: this.#pick([{ error: true }, { failed: true, error: true }]) })),
      ...this.#sometimes(8, () => ({ hooks: { ...step.hooks, ...this.#hooks(`${kind}["${step.name ?? ""}"]`) } })),
      ...this.#sometimes(20, () => ({ onExit: this.#laterName() })),
      ...this.#sometimes(12, () => ({ template: undefined, templateRef: { name: sharedName, template } })),
    } as Partial<WorkflowStep>;
  }

  #hooks(of: string): NonNullable<WorkflowStep["hooks"]> {
    const template = this.#laterName();
    return this.#pick<NonNullable<WorkflowStep["hooks"]>>([
      { exit: { template } },
      { exit: { template, expression: `${of}.status == "Failed"` } },
      { ok: { template, expression: `${of}.status == "Succeeded"` } },
      { bad: { template, expression: `${of}.status in ["Failed", "Error"]` } },
      { wrong: { template, expression: `${of}.nothing.of.that == "1"` } },
      { up: { template, expression: `${of}.status == "Running"` }, exit: { template } },
    ]);
  }

  #retry(): RetryStrategy {
    const { chance } = this;
    return {
      limit: String(chance.below(4)),
      retryPolicy: this.#pick(["Always", "OnFailure", "OnError", "OnTransientError"] as const),
      ...this.#sometimes(2, () => ({
        backoff: {
          duration: this.#pick(["1s", "2", "500ms"]),
          ...this.#sometimes(2, () => ({ factor: "2" })),
          ...this.#sometimes(2, () => ({ maxDuration: this.#pick(["3s", "20s"]) })),
          ...this.#sometimes(3, () => ({ cap: "2s" })),
        },
      })),
      ...this.#sometimes(6, () => ({
        expression: this.#pick(["asInt(lastRetry.exitCode) < 2", "asInt(lastRetry.duration) < 5", "lastRetry.nothing"]),
      })),
    };
  }

  /** Of every template that has none of its own: the attempts of those inside one another multiply. */
  #retryOfEach(): RetryStrategy {
    const strategy = this.#retry();
    return strategy.limit === "0" ? strategy : { ...strategy, limit: "1" };
  }

  /** Every composite has a template after it: its first member's. */
  #laterName(): string {
    return this.#pick(this.templates.slice(this.#index + 1)).name ?? "";
  }

  #anyName(): string {
    return this.#pick(this.templates).name ?? "";
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.chance.below(items.length)] as T;
  }

  /** One time in `odds`. */
  #sometimes<T extends object>(odds: number, make: () => T): T | Record<string, never> {
    return this.chance.below(odds) === 0 ? make() : {};
  }
}

function isLoop({ withItems, withSequence, withParam }: WorkflowStep): boolean {
  return withItems !== undefined || withSequence !== undefined || withParam !== undefined;
}

function plain({ depends, ...task }: DAGTask): DAGTask {
  return depends === undefined
    ? task
    : { ...task, dependencies: [...depends.matchAll(/(d\d+)(?:\.\w+)?/g)].map(([, name = ""]) => name) };
}
