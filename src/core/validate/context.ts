/** What one validation carries with it through all templates. */

import type { Template } from "../model/argo/template.js";
import type { ResourceFacts, ResourceNeed } from "../template/lookup.js";
import type { TemplateHome } from "./homes.js";
import type { KnownGlobals, KnownNames } from "./known-names.js";
import type { Spot } from "./report.js";
import type { Walk } from "./walk.js";

export interface Validation {
  readonly facts: ResourceFacts;
  readonly needs: Map<string, ResourceNeed>;
  readonly namespace: string;
  readonly globals: KnownGlobals;
  /** Homes of resources by their key, each made once. */
  readonly homes: Map<string, TemplateHome | undefined>;
  /** Argo's memory: home and name of the templates it has walked. It knows inline templates by no name. */
  readonly walkedByArgo: Set<string>;
  readonly walked: Set<Template>;
  readonly checkedAtFirst: Set<Template>;
  /** What Argo does not look at comes when it is through. */
  readonly later: (() => Walk)[];
  /** Goes into a template, once. */
  readonly visit: (found: FoundTemplate) => Walk;
  /** What comes after a template's work: its outputs and the rest. */
  readonly finish: (found: FoundTemplate, names: KnownNames) => void;
}

/** A template where it was found. */
export interface FoundTemplate {
  readonly template: Template;
  readonly path: string;
  readonly home: TemplateHome;
  /** Told there. */
  readonly spot: Spot;
  /** Written in place, below a loop: `item` is replaced in it. */
  readonly inLoop: boolean;
  /** Inputs of the templates around one that is written in place: they are replaced in it too. */
  readonly outerParameters?: ReadonlySet<string>;
  /** Values of its parameters, where they are known: those of the entrypoint. */
  readonly values?: ReadonlyMap<string, string>;
}
