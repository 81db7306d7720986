/**
 * J13: the folder of a stranger, as people of machine learning, CI and data write them. Each file either runs as it is, or
 * says on one screen what is missing and how to give it; and when that is given, it runs.
 */

import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectGolden } from "./golden.js";
import { User } from "./program.js";

interface Given {
  /** Of the run without any flag. */
  readonly code: 2 | 3;
  /** What its message says to add. */
  readonly flags: readonly string[];
  /** A line of the run that has it. */
  readonly says: string;
}

/** What runs as it is: a line of it, and what its one notice says was passed over. */
const runs: Readonly<Record<string, { readonly says: string; readonly ignores?: string }>> = {
  "ml/sweep.yaml": { says: "[3,5,8]" },
  "ml/model-registry.yaml": { says: "" },
  "ml/scratch-volume.yaml": { says: "scratch", ignores: "storageClassName" },
  "ml/spot-retry.yaml": { says: "attempt 1", ignores: "podPriorityClassName, affinity" },
  "ci/build-test.yaml": { says: "Succeeded" },
  "ci/matrix.yaml": { says: "debian 2" },
  "ci/approval.yaml": { says: "applied" },
  "ci/nightly.yaml": { says: "nightly", ignores: "schedules, timezone, concurrencyPolicy, successfulJobsHistoryLimit" },
  "ci/integration.yaml": { says: "database is up" },
  "data/fan-out.yaml": { says: "part b" },
  "data/housekeeping.yaml": { says: "kept", ignores: "artifactGC, podDisruptionBudget, metrics" },
  "data/hardened.yaml": { says: "hardened", ignores: "imagePullSecrets, securityContext, dnsPolicy" },
};

const given: Readonly<Record<string, Given>> = {
  "ml/train-gpu.yaml": { code: 3, flags: ["--runtime", "host"], says: "epoch 2 loss 0.4" },
  "ml/dataset-s3.yaml": { code: 3, flags: ["--artifact", "features.events=given/events.csv"], says: "1,click" },
  "ml/evaluate-gcs.yaml": {
    code: 3,
    flags: ["--artifact", "evaluate.model=given/model.bin", "--artifact", "evaluate.baseline=given/baseline.json"],
    says: '{ "auc": 0.81 }',
  },
  "ml/report.yaml": { code: 2, flags: ["-p", "segment=all", "-p", "day=2026-11-30"], says: "all 2026-11-30 html" },
  "ml/shared-volume.yaml": { code: 3, flags: ["--with", "given/claims.yaml"], says: "sample" },
  "ml/tracking-secret.yaml": { code: 3, flags: ["--secret", "wandb/api-key=1234"], says: "logged in" },
  "ci/template-library.yaml": { code: 3, flags: ["--with", "lib"], says: "built ./cmd/service" },
  "ci/image-build.yaml": { code: 3, flags: ["--stub", "build"], says: "tested" },
  "ci/deploy.yaml": { code: 3, flags: ["--stub", "apply"], says: "verified" },
  "ci/notify.yaml": { code: 3, flags: ["--stub", "notify"], says: "tested" },
  "ci/mutex.yaml": { code: 3, flags: ["--stub", "migrate"], says: "planned" },
  "ci/git-checkout.yaml": { code: 3, flags: ["--artifact", "main.source=given/source"], says: "the service" },
  "data/etl.yaml": { code: 3, flags: ["--configmap", "etl-settings=given/etl.env"], says: "1200 rows" },
  "data/environment.yaml": {
    code: 3,
    flags: ["--secret", "warehouse=given/warehouse.env", "--configmap", "warehouse-settings=given/settings.env"],
    says: "warehouse reader",
  },
  "data/repository.yaml": { code: 3, flags: ["--with", "given/repositories.yaml"], says: "" },
  "data/container-set.yaml": { code: 3, flags: ["--stub", "pipeline"], says: "after" },
  "data/memoized.yaml": { code: 3, flags: ["--stub", "expensive"], says: "after" },
};

/** No YAML before another tool has been over it: it is written where it is used, so that tools of ours do not read it. */
const chart = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  generateName: {{ .Release.Name }}-
spec:
  entrypoint: main
  templates:
  - name: main
    container:
      image: {{ .Values.image.repository }}:{{ .Values.image.tag }}
      command: [echo, hello]
`;

const SCREEN_LINES = 24;

const user = new User();
const stranger = fileURLToPath(new URL("./stranger/", import.meta.url));

beforeAll(() => {
  for (const folder of ["ml", "ci", "data", "lib", "given"]) {
    cpSync(join(stranger, folder), join(user.folder, folder), { recursive: true });
  }
  mkdirSync(join(user.folder, ".git"));
  writeFileSync(join(user.folder, "ci/chart-template.yaml"), chart);
});

afterAll(() => user.dispose());

test("every file has its row; with the chart there are thirty", () => {
  const files = ["ml", "ci", "data"].flatMap((folder) =>
    readdirSync(join(stranger, folder)).map((name) => `${folder}/${name}`),
  );
  expect(files.sort()).toEqual([...Object.keys(runs), ...Object.keys(given)].sort());
  expect(files).toHaveLength(29);
});

describe.concurrent("runs as it is", () => {
  test.each(Object.entries(runs))("%s", async (file, { says, ignores }) => {
    const { code, stdout, stderr } = await user.tiphys(["run", "--runtime", "host", file]);
    expect(code, stderr).toBe(0);
    expect(linesOf(stdout)).toContain(says);
    const notice = /^ignored on this machine: (.*)$/m.exec(stderr)?.[1];
    expect(notice).toBe(ignores);
  });
});

describe.concurrent("says what is missing and how to give it; then it runs", () => {
  test.each(Object.entries(given))("%s", async (file, { code, flags, says }) => {
    const first = await user.tiphys(["run", file]);
    expectScreen(first.stderr, file);
    expect({ code: first.code, stdout: first.stdout }).toEqual({ code, stdout: "" });
    const second = await user.tiphys(["run", "--runtime", "host", file, ...flags]);
    expect(second.code, second.stderr).toBe(0);
    expect(linesOf(second.stdout)).toContain(says);
  });

  test("a chart's template needs another tool first", async () => {
    const { code, stderr } = await user.tiphys(["run", "ci/chart-template.yaml"]);
    expectScreen(stderr, "ci/chart-template.yaml");
    expect(code).toBe(2);
  });
});

/** One screen, in which every fault is followed by what to do. */
function expectScreen(stderr: string, file: string): void {
  const text = stderr.replaceAll(user.home, "$TIPHYS_HOME");
  expect(text.split("\n").length).toBeLessThanOrEqual(SCREEN_LINES);
  expect(text).not.toMatch(/internal error|undefined|\[object/);
  for (const fault of text.split(/^(?=\S)/m)) expect(fault).toMatch(/ -p | --\w|\bhelm template\b/);
  expectGolden(text, `./stranger/messages/${file.replace(/\W+/g, "-").replace(/-yaml$/, "")}.txt`);
}

/** Without the labels of the steps. */
function linesOf(stdout: string): readonly string[] {
  return stdout.split("\n").map((line) => line.replace(/^[^│]*│ /, ""));
}
