/** A write as a line of history. */

import { keyText } from "../../../src/kube/key.js";
import type { SentWrite } from "./network.js";

const TEXT_MAX = 400;

export function writeText({ verb, type, key, body }: SentWrite): string {
  const json = verb === "create" ? createText(body) : JSON.stringify(body);
  const text = json.length > TEXT_MAX ? `${json.slice(0, TEXT_MAX)}…` : json;
  return `${verb} ${type.plural} ${keyText(key)} ${text}`;
}

function createText(body: unknown): string {
  const { metadata } = body as { readonly metadata?: { readonly labels?: unknown; readonly annotations?: unknown } };
  return JSON.stringify({ labels: metadata?.labels });
}
