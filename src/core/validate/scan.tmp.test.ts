import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { decodeResource, readDocuments } from "../model/index.js";
import { invalidSpecOf, validateWorkflow } from "./index.js";

const root = "/work/shared/argo";
const facts = new Map<string, any>();
for (const f of readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })) {
  if (!/\.ya?ml$/.test(f)) continue;
  for (const d of readDocuments(readFileSync(join(root, "examples", f), "utf8"), f).documents) {
    const r = decodeResource(d).value as any;
    if (r && /WorkflowTemplate$/.test(r.kind)) facts.set(`${r.kind}/${r.metadata.name}`, r);
  }
}
function lookup(extra: Map<string, any>) {
  return {
    get: (need: any) => {
      const key =
        need.kind === "workflow-template"
          ? `WorkflowTemplate/${need.name}`
          : need.kind === "cluster-workflow-template"
            ? `ClusterWorkflowTemplate/${need.name}`
            : "";
      return extra.get(key) ?? facts.get(key) ?? null;
    },
  };
}
test("scan", () => {
  let n = 0,
    bad = 0;
  for (const dir of ["examples", "variants", "random", "hang"]) {
    for (const f of readdirSync(join(root, "runs", dir), { recursive: true, encoding: "utf8" })) {
      if (!f.endsWith(".json")) continue;
      const rec = JSON.parse(readFileSync(join(root, "runs", dir, f), "utf8"));
      if (!rec.submitted || rec.rejected) continue;
      const extra = new Map<string, any>();
      const y = join(root, "runs", dir, f.replace(/\.json$/, ".yaml"));
      if (existsSync(y))
        for (const d of readDocuments(readFileSync(y, "utf8"), y).documents) {
          const r = decodeResource(d).value as any;
          if (r && /WorkflowTemplate$/.test(r.kind)) extra.set(`${r.kind}/${r.metadata.name}`, r);
        }
      const w = decodeResource(rec.submitted).value as any;
      if (!w) {
        console.log("no decode", dir, f, decodeResource(rec.submitted).problems);
        continue;
      }
      n++;
      const want = rec.message?.startsWith("invalid spec: ") ? rec.message.slice(14) : undefined;
      const got = invalidSpecOf(w, lookup(extra));
      if (want !== got) {
        bad++;
        console.log(dir, f, "\n  want", want, "\n  got ", got);
      }
      const v = validateWorkflow(w, { facts: lookup(extra) });
      const beyond = v.problems.filter((p) => p.argo === undefined);
      if (beyond.length)
        console.log(
          "  beyond",
          dir,
          f,
          rec.phase,
          rec.message,
          beyond.map((p) => `\n     ${p.severity} ${p.code} ${p.path}: ${p.message} | ${p.hint ?? ""}`).join(""),
        );
    }
  }
  console.log(n, "bad", bad);
});
