/** Texts -> typed resources, each with the document it stands in, and the problems of reading them. */

import {
  decodeResource,
  isOfHelm,
  type KnownByKind,
  type KnownKind,
  type KnownResource,
  type ReadResult,
  readDocuments,
  type SourceDocument,
} from "../../core/model/index.js";
import { argoTypes } from "../../core/model/resources.js";
import type { Problem } from "../../core/std/problem.js";
import type { SourceText } from "./sources.js";

export interface LoadedResource<T extends KnownResource = KnownResource> {
  readonly resource: T;
  readonly document: SourceDocument;
  /** False for what only stands by (`--with`): it is created, but not run. */
  readonly toRun: boolean;
  /** Paths that reading left out: what is missing there is a consequence. */
  readonly unread: readonly string[];
}

export interface Loaded {
  readonly resources: readonly LoadedResource[];
  readonly problems: readonly Problem[];
  /** Text of each file, for excerpts. */
  readonly texts: ReadonlyMap<string, string>;
  /** Each object that the files hold is there, under its own name: what is not given is missing. */
  readonly isWhole: boolean;
}

export interface LoadOptions {
  readonly toRun: boolean;
  /** "strict": whatever is wrong is an error. "walk": in a folder of many files those of other tools are left out. */
  readonly manner: "strict" | "walk";
  readonly unknownFields?: "error" | "ignore";
}

export function loadResources(texts: readonly SourceText[], options: LoadOptions): Loaded {
  return mergeLoaded(texts.map((text) => loadText(text, options)));
}

function loadText({ file, text }: SourceText, options: LoadOptions): Loaded {
  const texts = new Map([[file, text]]);
  const read = readDocuments(text, file);
  const isWalk = options.manner === "walk";
  if (isWalk && isForeign(read, text)) return { resources: [], problems: [], texts, isWhole: true };
  const loaded = read.documents
    .filter((document) => !isWalk || isMeant(document))
    .map((document) => loadDocument(document, options));
  return {
    resources: loaded.flatMap(({ resource }) => resource ?? []),
    problems: [...read.problems, ...loaded.flatMap(({ problems }) => problems)],
    texts,
    isWhole: read.problems.every(({ code }) => code === "duplicate-field") && loaded.every(isIdentified),
  };
}

/** What it is and how it is called are known. */
function isIdentified({ resource, problems }: LoadedDocument): boolean {
  if (resource === undefined) return !hasErrors(problems);
  return !resource.unread.some((path) => ["", "metadata", "metadata.name"].includes(path));
}

interface LoadedDocument {
  readonly resource?: LoadedResource;
  readonly problems: readonly Problem[];
}

function loadDocument(document: SourceDocument, options: LoadOptions): LoadedDocument {
  const unknownFields = options.unknownFields ?? "error";
  const { value, problems, unread } = decodeResource(document, { unknownFields });
  if (value === undefined) return { problems: problems.map((problem) => softened(problem, document)) };
  return { resource: { resource: value, document, toRun: options.toRun, unread }, problems };
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

/** Also one of Argo's kinds that does not say whose it is: nobody else has these. */
function isMeant(document: SourceDocument): boolean {
  return isResource(document) || (document.apiVersion === "" && argoKinds.has(document.kind));
}

const argoKinds: ReadonlySet<string> = new Set(argoTypes.map(({ kind }) => kind));

/** A file of other tools: without any resource, and no broken one of Argo's either. Helm's templates are Helm's. */
function isForeign({ documents, problems }: ReadResult, text: string): boolean {
  if (documents.some(isMeant)) return false;
  return problems.some(isOfHelm) || !/^apiVersion:[ \t]*["']?argoproj\.io\//m.test(text);
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
    isWhole: parts.every(({ isWhole }) => isWhole),
  };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}
