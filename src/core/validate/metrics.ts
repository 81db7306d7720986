/** Rules for a template's metrics (Argo 4.1 behaviour 10.4). */

import type { Prometheus } from "../model/argo/template.js";
import { fieldPath, itemPath } from "../model/path.js";
import type { FoundTemplate } from "./context.js";

const METRIC_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

export function checkMetrics({ template, path, spot }: FoundTemplate): void {
  const list = fieldPath(fieldPath(path, "metrics"), "prometheus");
  for (const [index, metric] of (template.metrics?.prometheus ?? []).entries()) {
    const at = itemPath(list, index);
    const { name } = metric;
    if (!METRIC_NAME.test(name)) {
      const argo = `templates.${template.name ?? ""} metric name '${name}' is invalid. Metric names must contain alphanumeric characters or '_'`;
      const message = `"${name}" cannot be the name of a metric`;
      spot.tell({ code: "bad-name", path: fieldPath(at, "name"), message, hint: 'use letters, digits and "_"', argo });
    }
    for (const [position, { key }] of (metric.labels ?? []).entries()) {
      if (METRIC_NAME.test(key)) continue;
      const argo = `metric label '${key}' is invalid: keys may only contain alphanumeric characters or '_'`;
      const place = fieldPath(itemPath(fieldPath(at, "labels"), position), "key");
      spot.tell({ code: "bad-name", path: place, message: `"${key}" cannot be a label`, argo });
    }
    if (metric.help === "") {
      const argo = `templates.${template.name ?? ""} metric '${name}' must contain a help string under 'help: ' field`;
      spot.tell({
        code: "missing-field",
        path: at,
        message: `metric "${name}" has no help`,
        hint: "add help: what it counts",
        lacks: [fieldPath(at, "help")],
        argo,
      });
    }
    const fault = valueFault(metric);
    if (fault === undefined || spot.unread.within(at)) continue;
    const argo = `templates.${template.name ?? ""} metric '${name}' error: ${fault}`;
    spot.tell({ code: "invalid", path: at, message: fault, argo });
  }
}

function valueFault({ gauge, histogram, counter }: Prometheus): string | undefined {
  if (gauge !== undefined) {
    if (gauge.value === "") return "missing gauge.value";
    if (gauge.realtime === true && gauge.value.includes("resourcesDuration.")) {
      return "'resourcesDuration.*' metrics cannot be used in real-time";
    }
  }
  if (histogram !== undefined && histogram.value === "") return "missing histogram.value";
  return counter !== undefined && counter.value === "" ? "missing counter.value" : undefined;
}
