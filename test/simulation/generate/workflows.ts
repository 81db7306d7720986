/** Random workflows: steps, DAGs, loops, retries, hooks, daemons, suspends, podGC, nested. */

import type {
  DAGTask,
  LifecycleHook,
  RetryStrategy,
  Template,
  WorkflowStep,
} from "../../../src/core/model/argo/template.js";
import type { PodGC, Workflow, WorkflowSpec } from "../../../src/core/model/argo/workflow.js";
import type { SeededChance } from "../../../src/kube/testing/seeded-chance.js";
import { pod, workflow } from "./builder.js";

export interface WorkflowSize {
  /** About so many pods at most. */
  readonly pods: number;
}

export function randomWorkflow(chance: SeededChance, name: string, size: WorkflowSize): Workflow {
  const maker = new Maker(chance, size.pods);
  const entrypoint = maker.template(0);
  const spec: WorkflowSpec = {
    entrypoint,
    ...maker.aroundWorkflow(),
    templates: [],
  };
  return workflow(name, { ...spec, templates: maker.templates });
}

const DEPTH_MAX = 3;

/** A pod that takes parameters: one of its call, where that gives it, and the workflow's. */
function taking(words: string[]): Partial<Template> {
  words.push("note={{inputs.parameters.q}}-{{workflow.parameters.p}}");
  return { inputs: { parameters: [{ name: "q", value: "none" }] } };
}

class Maker {
  readonly templates: Template[] = [];
  #podsLeft: number;
  /** A daemon counts as active: where there are limits on that, it may hold up its own followers for ever, as in Argo. */
  readonly #special: "daemons" | "limits";

  constructor(
    private readonly chance: SeededChance,
    pods: number,
  ) {
    this.#podsLeft = pods;
    this.#special = chance.below(2) === 0 ? "daemons" : "limits";
  }

  /** Makes a template and all that it uses; answers its name. */
  template(depth: number): string {
    const kind = depth >= DEPTH_MAX || this.#podsLeft <= 1 ? "pod" : this.#kind(depth);
    const name = `t${this.templates.length}`;
    this.templates.push({ name });
    const made = this.#make(kind, depth);
    this.templates[Number(name.slice(1))] = { ...made, name };
    return name;
  }

  aroundWorkflow(): Partial<WorkflowSpec> {
    return {
      ...this.#sometimes(5, () => ({ onExit: this.template(DEPTH_MAX) })),
      ...this.#sometimes(10, () => ({ hooks: { run: this.#hook('workflow.status == "Running"') } })),
      ...this.#sometimes(3, () => ({ podGC: this.#podGC() })),
      ...this.#limit(8, 4),
      ...this.#sometimes(15, () => ({ activeDeadlineSeconds: 1 + this.chance.below(20) })),
      ...this.#sometimes(30, () => ({ suspend: true })),
      ...this.#sometimes(20, () => ({ ttlStrategy: { secondsAfterCompletion: this.chance.below(20) } })),
      arguments: { parameters: [{ name: "p", value: String(this.chance.below(100)) }] },
    };
  }

  #kind(depth: number): "pod" | "steps" | "dag" | "suspend" {
    const dice = this.chance.below(depth === 0 ? 7 : 10);
    if (dice < 3) return "steps";
    if (dice < 6) return "dag";
    return dice === 6 && depth > 0 ? "suspend" : "pod";
  }

  #make(kind: "pod" | "steps" | "dag" | "suspend", depth: number): Template {
    switch (kind) {
      case "pod":
        return this.#pod();
      case "suspend":
        return { name: "", suspend: this.#sometimes(2, () => ({ duration: String(1 + this.chance.below(5)) })) };
      case "steps":
        return this.#steps(depth);
      case "dag":
        return this.#dag(depth);
    }
  }

  #pod(): Template {
    this.#podsLeft--;
    const { chance } = this;
    if (this.#special === "daemons" && chance.below(12) === 0)
      return pod("", ["never", `term-ms=${chance.below(2) * 300}`], { daemon: true });
    const words = [`ms=${[0, 1, 5, 50, 300, 2000][chance.below(6)]}`];
    if (chance.below(5) === 0) words.push(`exit=${["1", "1,0", "1,1,0", "3"][chance.below(4)]}`);
    if (chance.below(15) === 0) words.push("ignore-term");
    if (chance.below(15) === 0) words.push(`term-ms=${chance.below(1000)}`);
    if (chance.below(6) === 0) return this.#script(words);
    const outputs = chance.below(4) === 0;
    if (outputs) words.push("out=/tmp/x:value");
    return pod("", words, {
      ...this.#sometimes(4, () => ({ metadata: { labels: { x: "y" } } })),
      ...this.#sometimes(6, () => taking(words)),
      ...this.#sometimes(4, () => ({ retryStrategy: this.#retry() })),
      ...(outputs && { outputs: { parameters: [{ name: "x", valueFrom: { path: "/tmp/x" } }] } }),
      ...this.#sometimes(12, () => ({ timeout: `${1 + chance.below(3)}s` })),
      ...this.#sometimes(20, () => ({ activeDeadlineSeconds: 1 + chance.below(5) })),
    });
  }

  /** What it prints is captured where a later step reads it. */
  #script(words: readonly string[]): Template {
    const text = ["yes", "no", "3"][this.chance.below(3)] ?? "";
    return {
      name: "",
      script: { name: "", image: "busybox", command: ["sim"], args: [...words, `print=${text}`], source: "" },
      ...this.#sometimes(4, () => ({ retryStrategy: this.#retry() })),
    };
  }

  #steps(depth: number): Template {
    const groups: WorkflowStep[][] = [];
    for (let group = 1 + this.chance.below(3); group > 0; group--) {
      const steps: WorkflowStep[] = [];
      for (let step = 1 + this.chance.below(3); step > 0; step--) {
        const made = this.#step(`s${groups.length}-${steps.length}`, depth);
        steps.push({ ...made, ...this.#reading("steps", made, groups.flat()) });
      }
      groups.push(steps);
    }
    return { name: "", steps: groups, ...this.#aroundComposite() };
  }

  /** Something that an earlier member said: only of one that is sure to have run once by then. */
  #reading(
    kind: "steps" | "tasks",
    step: Pick<WorkflowStep, "when">,
    earlier: readonly WorkflowStep[],
  ): Partial<WorkflowStep> {
    const { chance } = this;
    const said = earlier.filter(
      (one) => one.when === undefined && one.withItems === undefined && one.withSequence === undefined,
    );
    const scripts = said.filter((one) => this.#made(one)?.script !== undefined);
    const source = scripts[chance.below(Math.max(1, scripts.length))];
    if (source === undefined || step.when !== undefined || chance.below(2) === 0) return {};
    const result = `${kind}.${source.name}.outputs.result`;
    return chance.below(2) === 0
      ? { when: `'{{${result}}}' == yes` }
      : { arguments: { parameters: [{ name: "q", value: `{{${result}}}` }] } };
  }

  #made({ template }: WorkflowStep): Template | undefined {
    return this.templates.find(({ name }) => name === template);
  }

  #step(name: string, depth: number): WorkflowStep {
    return { name, template: this.template(depth + 1), ...this.#aroundStep("steps", name) };
  }

  #dag(depth: number): Template {
    const count = 1 + this.chance.below(5);
    const tasks: DAGTask[] = [];
    for (let index = 0; index < count; index++) {
      const name = `d${index}`;
      const before = tasks.filter(() => this.chance.below(3) === 0).map((task) => task.name);
      tasks.push({
        name,
        template: this.template(depth + 1),
        ...(before.length > 0 && this.#dependsOn(before)),
        ...this.#aroundStep("tasks", name),
        ...(before.length > 0 &&
          this.#reading(
            "tasks",
            {},
            tasks.filter((task) => before.includes(task.name)),
          )),
      });
    }
    const failFast = this.chance.below(4) === 0 ? { failFast: false } : {};
    return { name: "", dag: { tasks, ...failFast }, ...this.#aroundComposite() };
  }

  #dependsOn(names: readonly string[]): { readonly depends: string } {
    const suffixes = ["", "", "", ".Succeeded", ".Failed", ".AnySucceeded"].slice(0, 5);
    const parts = names.map((name) => `${name}${suffixes[this.chance.below(suffixes.length)] ?? ""}`);
    return { depends: parts.join(this.chance.below(3) === 0 ? " || " : " && ") };
  }

  #aroundStep(kind: "steps" | "tasks", name: string): Partial<WorkflowStep> {
    const { chance } = this;
    return {
      ...this.#sometimes(6, () => this.#loop()),
      ...this.#sometimes(8, () => ({ continueOn: { failed: true } })),
      ...this.#sometimes(12, () => ({ when: chance.below(2) === 0 ? "1 == 1" : "1 == 2" })),
      ...this.#sometimes(12, () => ({ hooks: { exit: { template: this.template(DEPTH_MAX) } } })),
      ...this.#sometimes(14, () => ({ hooks: { up: this.#hook(`${kind}["${name}"].status == "Running"`) } })),
    };
  }

  #loop(): Partial<WorkflowStep> {
    const count = Math.min(1 + this.chance.below(6), Math.max(1, this.#podsLeft));
    this.#podsLeft -= count - 1;
    if (this.chance.below(2) === 0) return { withItems: Array.from({ length: count }, (_, index) => index) };
    return { withSequence: { count: String(count) } };
  }

  #aroundComposite(): Partial<Template> {
    return {
      ...this.#limit(10, 2),
      ...this.#sometimes(12, () => ({ retryStrategy: this.#retry() })),
    };
  }

  #limit(odds: number, max: number): { readonly parallelism?: number } {
    return this.#special === "limits" ? this.#sometimes(odds, () => ({ parallelism: 1 + this.chance.below(max) })) : {};
  }

  #retry(): RetryStrategy {
    const { chance } = this;
    return {
      limit: String(chance.below(4)),
      ...this.#sometimes(2, () => ({
        retryPolicy: (["Always", "OnFailure", "OnError"] as const)[chance.below(3)] ?? "Always",
      })),
      ...this.#sometimes(3, () => ({ backoff: { duration: "1s", factor: "2", maxDuration: "20s" } })),
      ...this.#sometimes(8, () => ({ expression: "lastRetry.exitCode != '3'" })),
    };
  }

  #hook(expression: string): LifecycleHook {
    return { template: this.template(DEPTH_MAX), expression };
  }

  #podGC(): PodGC {
    const { chance } = this;
    const strategies = ["OnPodCompletion", "OnPodSuccess", "OnWorkflowCompletion", "OnWorkflowSuccess"] as const;
    return {
      strategy: strategies[chance.below(4)] ?? "OnPodCompletion",
      ...this.#sometimes(2, () => ({ deleteDelayDuration: `${chance.below(8)}s` })),
      ...this.#sometimes(6, () => ({ labelSelector: { matchLabels: { x: "y" } } })),
    };
  }

  /** One time in `odds`. */
  #sometimes<T extends object>(odds: number, make: () => T): T | Record<string, never> {
    return this.chance.below(odds) === 0 ? make() : {};
  }
}
