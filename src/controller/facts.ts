/** Answers to what the engine needs to know of other objects, kept for one pass. */

import type { Facts, Need } from "../core/engine/contract.js";
import type { KubeObject } from "../core/model/kube/meta.js";
import type { ResourceType } from "../core/model/resources.js";
import { clusterWorkflowTemplates, configMaps, workflowTemplates } from "../core/model/resources.js";
import type { Client, ObjectKey } from "../kube/client.js";
import { isNotFound } from "../kube/errors.js";

/** What the engine asked for in this pass's earlier rounds. Read live, so never stale. */
export class PassFacts implements Facts {
  private readonly answers = new Map<string, KubeObject | null>();

  constructor(private readonly client: Client) {}

  get(need: Need): KubeObject | null | undefined {
    return this.answers.get(keyOf(need));
  }

  /** Fetches what is not known yet. Rejects when the API gives no answer: the pass is tried again later. */
  async answer(needs: readonly Need[]): Promise<void> {
    const unknown = needs.filter((need) => !this.answers.has(keyOf(need)));
    await Promise.all(unknown.map(async (need) => this.answers.set(keyOf(need), await this.fetch(need))));
  }

  private async fetch(need: Need): Promise<KubeObject | null> {
    const [type, key] = locate(need);
    try {
      return await this.client.get(type, key);
    } catch (error) {
      if (isNotFound(error)) return null;
      throw error;
    }
  }
}

function locate(need: Need): [ResourceType, ObjectKey] {
  switch (need.kind) {
    case "workflow-template":
      return [workflowTemplates, { namespace: need.namespace, name: need.name }];
    case "cluster-workflow-template":
      return [clusterWorkflowTemplates, { name: need.name }];
    case "config-map":
      return [configMaps, { namespace: need.namespace, name: need.name }];
  }
}

function keyOf(need: Need): string {
  const [type, key] = locate(need);
  return `${type.plural}/${key.namespace ?? ""}/${key.name}`;
}
