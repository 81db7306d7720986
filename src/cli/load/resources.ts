/** Texts -> typed resources, each with the document it stands in, and the problems of reading them. */

import {
  decodeResource,
  type KnownByKind,
  type KnownKind,
  type KnownResource,
  readDocuments,
  type SourceDocument,
} from "../../core/model/index.js";
import type { Problem } from "../../core/std/problem.js";
import type { SourceText } from "./sources.js";

export interface LoadedResource<T extends KnownResource = KnownResource> {
  readonly resource: T;
  readonly document: SourceDocument;
  /** False for what only stands by (`--with`): it is created, but not run. */
  readonly toRun: boolean;
  /** Nothing was wrong in reading it: what is found beyond that is no consequence. */
  readonly isSound: boolean;
}

export interface Loaded {
  readonly resources: readonly LoadedResource[];
  readonly problems: readonly Problem[];
  /** Text of each file, for excerpts. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface LoadOptions {
  readonly toRun: boolean;
  /** "strict": whatever is wrong is an error. "walk": in a folder of many files those of other tools are left out. */
  readonly manner: "strict" | "walk";
  readonly unknownFields?: "error" | "ignore";
}

export function loadResources(texts: readonly SourceText[], options: LoadOptions): Loaded {
  const resources: LoadedResource[] = [];
  const problems: Problem[] = [];
  for (const { file, text } of texts) {
    const read = readDocuments(text, file);
    if (options.manner === "walk" && isForeign(read.documents, read.problems)) continue;
    problems.push(...read.problems);
    for (const document of read.documents) {
      if (options.manner === "walk" && !isResource(document)) continue;
      const loaded = loadDocument(document, options);
      problems.push(...loaded.problems);
      if (loaded.resource !== undefined) resources.push(loaded.resource);
    }
  }
  return { resources, problems, texts: new Map(texts.map(({ file, text }) => [file, text])) };
}

interface LoadedDocument {
  readonly resource?: LoadedResource;
  readonly problems: readonly Problem[];
}

function loadDocument(document: SourceDocument, options: LoadOptions): LoadedDocument {
  const unknownFields = options.unknownFields ?? "error";
  const { value, problems } = decodeResource(document, { unknownFields });
  if (value === undefined) return { problems: problems.map((problem) => softened(problem, document)) };
  return { resource: { resource: value, document, toRun: options.toRun, isSound: !hasErrors(problems) }, problems };
}

/**
 * A Role or a Service beside a workflow is no mistake: it means nothing on one machine. A near miss is one: a kind written
 * wrong, or Argo's own group in a version that does not exist.
 */
function softened(problem: Problem, document: SourceDocument): Problem {
  if (problem.code !== "not-kind" || !isResource(document) || problem.hint?.startsWith("did you mean")) return problem;
  if (document.apiVersion.startsWith("argoproj.io/") && problem.path === "apiVersion") return problem;
  const { hint: _, ...rest } = problem;
  const name = document.name === "" ? "" : ` "${document.name}"`;
  return {
    ...rest,
    severity: "notice",
    code: "ignored",
    message: `${document.kind}${name} means nothing on one machine: left out`,
  };
}

function isResource(document: SourceDocument): boolean {
  return document.apiVersion !== "" && document.kind !== "";
}

/** A file that no Kubernetes tool wrote: not readable as YAML, or without any resource. */
function isForeign(documents: readonly SourceDocument[], problems: readonly Problem[]): boolean {
  if (documents.some(isResource)) return false;
  return documents.length > 0 || problems.length > 0;
}

export function ofKind<K extends KnownKind>(
  resources: readonly LoadedResource[],
  kind: K,
): readonly LoadedResource<KnownByKind[K]>[] {
  return resources.filter((loaded): loaded is LoadedResource<KnownByKind[K]> => loaded.resource.kind === kind);
}

export function mergeLoaded(parts: readonly Loaded[]): Loaded {
  return {
    resources: parts.flatMap((part) => part.resources),
    problems: parts.flatMap((part) => part.problems),
    texts: new Map(parts.flatMap((part) => [...part.texts])),
  };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}
