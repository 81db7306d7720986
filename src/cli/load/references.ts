/** What a workflow needs from outside, as far as it can be reached: templates, Secrets, ConfigMaps, claims, images. */

import type { Artifact } from "../../core/model/argo/artifact.js";
import type { Invocation, LifecycleHook, Template, TemplateRef } from "../../core/model/argo/template.js";
import type { WorkflowSpec } from "../../core/model/argo/workflow.js";
import { fieldPath, itemPath, type SourceDocument } from "../../core/model/index.js";
import { isJsonObject } from "../../core/std/json.js";
import type { Position } from "../../core/std/problem.js";
import { type Finding, findingsIn } from "./findings.js";

export type NeededKind =
  | "Secret"
  | "ConfigMap"
  | "PersistentVolumeClaim"
  | "WorkflowTemplate"
  | "ClusterWorkflowTemplate";

export interface Need {
  readonly kind: NeededKind;
  readonly name: string;
  /** Of a Secret or ConfigMap; empty when any key does. */
  readonly key: string;
  /** A volume: each key becomes a file. */
  readonly asFiles: boolean;
  readonly position: Position | undefined;
}

export interface ImageUse {
  readonly image: string;
  readonly template: string;
  /** The program that the template names; undefined when it leaves that to the image. */
  readonly program: string | undefined;
  readonly position: Position | undefined;
}

/** An artifact that a template or a call takes in, with a location of its own. */
export interface ArtifactUse {
  readonly artifact: Artifact;
  /** The template; empty for the workflow's arguments. */
  readonly owner: string;
  readonly position: Position | undefined;
}

/** A spec and the document it stands in. */
export interface SpecHome {
  readonly spec: WorkflowSpec;
  readonly document: SourceDocument | undefined;
  /** `spec`, or `spec.workflowSpec` in a CronWorkflow. */
  readonly path: string;
}

export interface ReachInput {
  readonly home: SpecHome;
  /** Overrides the spec's. */
  readonly entrypoint: string | undefined;
  /** Templates that stand in for what runs nothing: their inside is not looked at. */
  readonly stubs: ReadonlySet<string>;
  /** A template resource that was given. */
  readonly lookup: (kind: "WorkflowTemplate" | "ClusterWorkflowTemplate", name: string) => SpecHome | undefined;
}

/** A template of another resource that a stub stands for, so that the resource need not be given. */
export interface StubbedRef {
  readonly kind: "WorkflowTemplate" | "ClusterWorkflowTemplate";
  readonly name: string;
  readonly template: string;
}

export interface Reach {
  /** Whether given or not. */
  readonly needs: readonly Need[];
  readonly images: readonly ImageUse[];
  /** Those that no caller replaces. */
  readonly inputs: readonly ArtifactUse[];
  readonly outputs: readonly Artifact[];
  /** Names of all templates that can run. */
  readonly templates: ReadonlySet<string>;
  /** Of resources that were not given. */
  readonly stubbedRefs: readonly StubbedRef[];
  /** Objects that a resource template may create while the workflow runs: `Secret/db`. */
  readonly created: ReadonlySet<string>;
}

/** Walks from entrypoint, exit handler and hooks through steps, tasks and references. */
export function reach(input: ReachInput): Reach {
  const walk = new Walk(input);
  walk.start();
  return walk.result();
}

class Walk {
  readonly #input: ReachInput;
  readonly #needs: Need[] = [];
  readonly #images: ImageUse[] = [];
  readonly #inputs: (ArtifactUse & { readonly template: Template | undefined })[] = [];
  readonly #outputs: Artifact[] = [];
  /** Artifacts of templates that every caller so far passes. */
  readonly #passed = new Map<Template, ReadonlySet<string>>();
  readonly #names = new Set<string>();
  readonly #created = new Set<string>();
  readonly #stubbedRefs: StubbedRef[] = [];
  readonly #seen = new Set<Template>();
  /** What the workflow is made of: its own spec, and that of the resource it names; of two equal names the first counts. */
  readonly #owners: SpecHome[];

  constructor(input: ReachInput) {
    this.#input = input;
    this.#owners = [input.home];
  }

  result(): Reach {
    const inputs = this.#inputs.filter(
      ({ template, artifact }) => template === undefined || this.#passed.get(template)?.has(artifact.name) !== true,
    );
    return {
      needs: this.#needs,
      images: this.#images,
      inputs,
      outputs: this.#outputs,
      templates: this.#names,
      created: this.#created,
      stubbedRefs: this.#stubbedRefs,
    };
  }

  start(): void {
    const { home, entrypoint } = this.#input;
    const { spec, path } = home;
    const outer = this.#referencedHome(home);
    if (outer !== undefined) this.#owners.push(outer);
    const from = outer ?? home;
    const args = [...(spec.arguments?.artifacts ?? []), ...(from.spec.arguments?.artifacts ?? [])];
    this.#named(from, entrypoint ?? spec.entrypoint ?? from.spec.entrypoint, args);
    this.#arguments(home, spec.arguments?.artifacts, "arguments.artifacts");
    this.#named(from, spec.onExit ?? from.spec.onExit);
    this.#hooks(from, { ...from.spec.hooks, ...spec.hooks }, fieldPath(path, "hooks"));
    for (const owner of this.#owners) {
      const { arguments: args, templateDefaults, synchronization } = owner.spec;
      this.#take(owner, fieldPath(owner.path, "arguments"), args);
      this.#take(owner, fieldPath(owner.path, "templateDefaults"), templateDefaults);
      this.#take(owner, fieldPath(owner.path, "synchronization"), synchronization);
      this.#repository(owner);
    }
  }

  /** Looked up under its usual name where the workflow gives none. */
  #repository(home: SpecHome): void {
    const { artifactRepositoryRef: ref } = home.spec;
    if (ref === undefined) return;
    const path = fieldPath(fieldPath(home.path, "artifactRepositoryRef"), ref.configMap ? "configMap" : "key");
    const name = ref.configMap || "artifact-repositories";
    this.#need(home, { kind: "ConfigMap", name, key: ref.key ?? "", asFiles: false, path });
  }

  /** The spec that `workflowTemplateRef` names; undefined when it was not given. */
  #referencedHome(home: SpecHome): SpecHome | undefined {
    const ref = home.spec.workflowTemplateRef;
    if (ref?.name === undefined) return undefined;
    const kind = ref.clusterScope === true ? "ClusterWorkflowTemplate" : "WorkflowTemplate";
    const found = this.#input.lookup(kind, ref.name);
    const path = fieldPath(fieldPath(home.path, "workflowTemplateRef"), "name");
    this.#need(home, { kind, name: ref.name, key: "", asFiles: false, path });
    return found;
  }

  /** `args` are the artifacts that this caller passes. */
  #named(home: SpecHome, name: string | undefined, args: readonly Artifact[] = []): void {
    const index = (home.spec.templates ?? []).findIndex((template) => template.name === name);
    const template = home.spec.templates?.[index];
    if (template === undefined) return;
    this.#pass(template, args);
    this.#template(home, template, itemPath(fieldPath(home.path, "templates"), index));
  }

  #pass(template: Template, args: readonly Artifact[]): void {
    const names = args.map(({ name }) => name);
    const before = this.#passed.get(template);
    this.#passed.set(template, new Set(before === undefined ? names : names.filter((name) => before.has(name))));
  }

  #arguments(home: SpecHome, artifacts: readonly Artifact[] | undefined, path: string): void {
    for (const [index, artifact] of (artifacts ?? []).entries()) {
      const position = home.document?.positionOf(`${home.path}.${path}[${index}].name`);
      this.#inputs.push({ artifact, owner: "", position, template: undefined });
    }
  }

  #artifactsOf(home: SpecHome, template: Template, path: string): void {
    for (const [index, artifact] of (template.inputs?.artifacts ?? []).entries()) {
      const position = home.document?.positionOf(itemPath(`${path}.inputs.artifacts`, index));
      this.#inputs.push({ artifact, owner: template.name ?? "", position, template });
    }
    this.#outputs.push(...(template.outputs?.artifacts ?? []));
  }

  #template(home: SpecHome, template: Template, path: string): void {
    if (this.#seen.has(template)) return;
    this.#seen.add(template);
    const name = template.name ?? "";
    this.#names.add(name);
    if (this.#input.stubs.has(name)) return;
    // The config map of a cache is made when it is first written.
    const { steps, dag, memoize: _cache, ...own } = template;
    this.#take(home, path, own);
    this.#mountedVolumes(template);
    this.#imagesOf(home, template, path);
    this.#artifactsOf(home, template, path);
    this.#madeBy(template);
    for (const [group, members] of (steps ?? []).entries()) {
      const groupPath = itemPath(fieldPath(path, "steps"), group);
      for (const [index, step] of members.entries()) this.#call(home, step, itemPath(groupPath, index));
    }
    const tasks = fieldPath(fieldPath(path, "dag"), "tasks");
    for (const [index, task] of (dag?.tasks ?? []).entries()) this.#call(home, task, itemPath(tasks, index));
  }

  #call(home: SpecHome, call: Invocation, path: string): void {
    const { inline, hooks, ...own } = call;
    this.#take(home, path, { arguments: own.arguments });
    const args = call.arguments?.artifacts ?? [];
    if (inline !== undefined) this.#template(home, inline, fieldPath(path, "inline"));
    else if (call.templateRef !== undefined) {
      this.#referenced(home, { ref: call.templateRef, args, path: fieldPath(path, "templateRef") });
    } else this.#named(home, call.template, args);
    for (const [index, artifact] of args.entries()) {
      const position = home.document?.positionOf(itemPath(`${path}.arguments.artifacts`, index));
      this.#inputs.push({
        artifact,
        owner: call.template ?? call.templateRef?.template ?? "",
        position,
        template: undefined,
      });
    }
    this.#named(home, call.onExit);
    this.#hooks(home, hooks ?? {}, fieldPath(path, "hooks"));
  }

  #hooks(home: SpecHome, hooks: Readonly<Record<string, LifecycleHook>>, path: string): void {
    for (const [name, hook] of Object.entries(hooks)) {
      if (hook.templateRef !== undefined) {
        const at = fieldPath(fieldPath(path, name), "templateRef");
        this.#referenced(home, { ref: hook.templateRef, args: hook.arguments?.artifacts ?? [], path: at });
      } else this.#named(home, hook.template, hook.arguments?.artifacts);
    }
  }

  #referenced(
    home: SpecHome,
    { ref, args, path }: { readonly ref: TemplateRef; readonly args: readonly Artifact[]; readonly path: string },
  ): void {
    const name = ref.name ?? "";
    if (name.includes("{{")) return;
    const kind = ref.clusterScope === true ? "ClusterWorkflowTemplate" : "WorkflowTemplate";
    const found = this.#input.lookup(kind, name);
    const { template = "" } = ref;
    if (this.#input.stubs.has(template)) {
      if (found === undefined) this.#stubbedRefs.push({ kind, name, template });
      return;
    }
    this.#need(home, { kind, name, key: "", asFiles: false, path: fieldPath(path, "name") });
    if (found !== undefined) this.#named(found, ref.template, args);
  }

  /**
   * The workflow's volumes that this template mounts: the others are never made. Of a resource that a template is taken
   * from by templateRef no volume comes along (Argo 4.1 behaviour 3.31).
   */
  #mountedVolumes(template: Template): void {
    const text = JSON.stringify(template);
    const taken = new Set<string>();
    for (const home of this.#owners) {
      for (const [index, volume] of (home.spec.volumes ?? []).entries()) {
        if (taken.has(volume.name) || !text.includes(JSON.stringify(volume.name))) continue;
        taken.add(volume.name);
        this.#take(home, itemPath(fieldPath(home.path, "volumes"), index), volume);
      }
    }
  }

  #imagesOf(home: SpecHome, template: Template, path: string): void {
    const mains = [
      { container: template.container, path: fieldPath(path, "container") },
      { container: template.script, path: fieldPath(path, "script") },
      ...listOf(template.containerSet?.containers, fieldPath(fieldPath(path, "containerSet"), "containers")),
      ...listOf(template.initContainers, fieldPath(path, "initContainers")),
      ...listOf(template.sidecars, fieldPath(path, "sidecars")),
    ];
    for (const { container, path: at } of mains) {
      const image = container?.image ?? home.spec.templateDefaults?.container?.image;
      if (container === undefined || image === undefined || image === "") continue;
      const position = home.document?.positionOf(fieldPath(at, "image"));
      this.#images.push({ image, template: template.name ?? "", program: container.command?.[0], position });
    }
  }

  #madeBy(template: Template): void {
    const manifest = template.resource?.manifest ?? "";
    if (!["create", "apply"].includes(template.resource?.action ?? "")) return;
    const kind = /^\s*kind:\s*(\w+)/m.exec(manifest)?.[1];
    const name = /^\s+name:\s*["']?([\w.-]+)/m.exec(manifest)?.[1];
    if (kind !== undefined && name !== undefined) this.#created.add(`${kind}/${name}`);
  }

  #take(home: SpecHome, path: string, value: unknown): void {
    if (!isJsonObject(value)) return;
    for (const finding of findingsIn(value, path)) this.#need(home, finding);
  }

  #need(home: SpecHome, { kind, name, key, path, asFiles }: Finding): void {
    if (name === "" || name.includes("{{") || key.includes("{{")) return;
    this.#needs.push({ kind, name, key, asFiles, position: home.document?.positionOf(path) });
  }
}

function listOf<T>(list: readonly T[] | undefined, path: string): { readonly container: T; readonly path: string }[] {
  return (list ?? []).map((container, index) => ({ container, path: itemPath(path, index) }));
}
