/** J8: what is missing is listed before step 1, each with the flag that gives it; what is known late is waited for. */

import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { User } from "./program.js";

const ci = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: ci-, namespace: ml-prod}
spec:
  entrypoint: main
  volumes:
  - {name: certs, secret: {secretName: certs}}
  - {name: cache, persistentVolumeClaim: {claimName: cache}}
  - {name: unused, secret: {secretName: nobody-mounts-it}}
  templates:
  - name: main
    dag:
      tasks:
      - {name: build, templateRef: {name: go-build, template: build}}
      - {name: test, template: test, dependencies: [build]}
  - name: test
    inputs:
      artifacts:
      - name: data
        path: /data.csv
        s3: {bucket: ml, key: raw/day.csv, endpoint: s3.amazonaws.com}
    container:
      image: busybox
      command: [sh, -c, 'echo "$URL $PASS $LEVEL"; cat /certs/tls.crt /data.csv; touch /cache/there']
      env:
      - name: URL
        valueFrom: {secretKeyRef: {name: db, key: url}}
      - name: PASS
        valueFrom: {secretKeyRef: {name: db, key: password}}
      - name: LEVEL
        valueFrom: {configMapKeyRef: {name: app, key: level}}
      volumeMounts:
      - {name: certs, mountPath: /certs}
      - {name: cache, mountPath: /cache}
  - name: unreached
    container: {image: busybox, command: [echo], envFrom: [{secretRef: {name: nobody-needs-it}}]}
`;

const library = `apiVersion: argoproj.io/v1alpha1
kind: WorkflowTemplate
metadata: {name: go-build}
spec:
  templates:
  - name: build
    container: {image: busybox, command: [echo, built]}
`;

/** The name of the Secret comes from a step. */
const late = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: late}
spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - {name: name, template: name}
    - - name: use
        template: use
        arguments: {parameters: [{name: secret, value: "{{steps.name.outputs.result}}"}]}
  - name: name
    script: {image: busybox, command: [sh], source: "echo db-$((40 + 2))"}
  - name: use
    inputs: {parameters: [{name: secret}]}
    container:
      image: busybox
      command: [sh, -c, 'echo "$URL"']
      env:
      - name: URL
        valueFrom: {secretKeyRef: {name: "{{inputs.parameters.secret}}", key: url}}
`;

const claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: cache}\nspec: {}\n";

const user = new User();

beforeAll(async () => {
  const { folder } = user;
  for (const name of [".git", "flows", "lib", "certs", "app"]) await mkdir(join(folder, name));
  const files = {
    "flows/ci.yaml": ci,
    "lib/go.yaml": library,
    "late.yaml": late,
    "claim.yaml": claim,
    ".env": "url=postgres://db\npassword='top secret'\n",
    "other.env": "login=x\n",
    "certs/tls.crt": "the certificate\n",
    "app/level": "debug",
    "day.csv": "a,b\n",
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});

afterAll(() => user.dispose());

const run = (...args: readonly string[]) => user.tiphys(["run", "--runtime", "host", ...args]);

test("all of it at once, before step 1, each with the flag that gives it: exit 3, nothing started", async () => {
  const { code, stdout, stderr } = await run("flows/ci.yaml");
  expect(
    stderr,
  ).toBe(`error[missing]  before step 1: Secret db (keys url, password, flows/ci.yaml:27:42), ConfigMap app (key level, flows/ci.yaml:31:45), Secret certs (flows/ci.yaml:7:40), PersistentVolumeClaim cache (flows/ci.yaml:8:54)
     │ --secret db=.env --configmap app=DIR --secret certs=DIR, or from your cluster:
     │ kubectl -n ml-prod get secret/db cm/app secret/certs pvc/cache -o yaml > l.yaml; tiphys run flows/ci.yaml --with l.yaml
     │ or an empty folder for cache: --with a file that says {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: cache}, spec: {}}
flows/ci.yaml:14:43  error[no-template]  WorkflowTemplate "go-build" was not given
  14 │       - {name: build, templateRef: {name: go-build, template: build}}
     │                                           ^^^^^^^^
     │ lib/go.yaml:1 defines it: add --with lib
flows/ci.yaml:19:9  error[no-artifact]  test.data: s3://ml/raw/day.csv is not here, remote stores are off
  19 │       - name: data
     │         ^^^^^^^^^^
     │ --artifact test.data=day.csv
     │ or put it where a run looks: ${user.home}/artifacts/s3/ml/raw/day.csv
`);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(existsSync(join(user.home, "runs"))).toBe(false);
});

const given = [
  ...["--with", "lib", "--with", "claim.yaml", "--secret", "db=.env", "--secret", "certs=certs"],
  ...["--configmap", "app=app", "--artifact", "test.data=day.csv"],
];

test("given by those flags, it runs", async () => {
  const { code, stdout, stderr } = await run("flows/ci.yaml", ...given);
  expect(code, stderr).toBe(0);
  expect(stdout.split("\n").map((line) => line.replace(/^(build|test) +│ /, ""))).toEqual([
    "built",
    "postgres://db top secret debug",
    "the certificate",
    "a,b",
    "",
  ]);
  expect(stderr).not.toContain("top secret");
});

test("a key that a given Secret has not is missing as well", async () => {
  const { code, stderr } = await run("flows/ci.yaml", ...given.map((word) => word.replace("db=.env", "db=other.env")));
  expect(stderr).toContain("error[missing]  before step 1: Secret db (keys url, password, flows/ci.yaml:27:42)\n");
  expect(code).toBe(3);
});

test("from the environment: NAME/KEY", async () => {
  const flags = given.flatMap((word) => (word === "db=.env" ? ["db/url=u", "--secret", "db/password"] : [word]));
  const { code, stdout } = await user.tiphys(["run", "--runtime", "host", "flows/ci.yaml", ...flags], {
    env: { password: "from the environment" },
  });
  expect(stdout).toContain("│ u from the environment debug\n");
  expect(code).toBe(0);
});

test("what `kubectl get -o yaml` printed is taken, whatever namespace it came from", async () => {
  const list = { apiVersion: "v1", kind: "List", items: [secret("db", "url", "password"), secret("certs", "tls.crt")] };
  await writeFile(join(user.folder, "l.json"), JSON.stringify(list));
  const rest = ["--with", "lib", "--with", "claim.yaml", "--configmap", "app=app", "--artifact", "test.data=day.csv"];
  const { code, stdout, stderr } = await run("flows/ci.yaml", "--with", "l.json", ...rest);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain("│ of url of password debug\n");
});

function secret(name: string, ...keys: readonly string[]): object {
  const data = Object.fromEntries(keys.map((key) => [key, Buffer.from(`of ${key}`).toString("base64")]));
  const metadata = {
    name,
    namespace: "elsewhere",
    uid: "1-2-3",
    resourceVersion: "77",
    creationTimestamp: "2026-01-01T00:00:00Z",
  };
  return { apiVersion: "v1", kind: "Secret", metadata, type: "Opaque", data };
}

describe("a name known late", () => {
  test("is waited for, and the run ends with that reason", async () => {
    const { code, stdout, stderr } = await run("late.yaml", "--pending-timeout", "1s");
    expect(stdout).toBe("name │ db-42\n");
    const told = stderr.replace(/\b\d+s\b/g, "1s");
    expect(told).toContain(`◷ use waits for what is missing: secret "db-42" not found
waited 1 s for what is missing, giving up: secret "db-42" not found
`);
    expect(told).toMatch(
      /✖ late Failed 1s · 2 tasks: 1 ✔ 1 ✖\n✖ use {2}late.yaml:17:5 {2}image busybox {2}never started: secret "db-42" not found\n/,
    );
    expect(told.trimEnd().split("\n").at(-1)).toBe("  give it to the next run      --secret db-42=.env");
    expect(code).toBe(1);
  });

  test("the tree says what it waits for", async () => {
    const terminal = user.terminal(["run", "--runtime", "host", "late.yaml", "--pending-timeout", "1s"], {
      columns: 80,
      rows: 24,
    });
    await terminal.shows(/└─◷ use {3}secret "db-42" not found/);
    expect(await terminal.ended).toBe(1);
    expect(terminal.screen.text).toContain('giving up: secret "db-42" not found');
  });

  test("a key that the Secret has not", async () => {
    const { code, stderr } = await run("late.yaml", "--secret", "db-42=other.env", "--pending-timeout", "500ms");
    expect(stderr).toContain("never started: couldn't find key url in Secret default/db-42\n");
    expect(stderr.trimEnd().split("\n").at(-1)).toBe("  give it to the next run      --secret db-42/url=VALUE");
    expect(code).toBe(1);
  });

  test("given beforehand, nobody waits", async () => {
    const { code, stdout, stderr } = await run("late.yaml", "--secret", "db-42=.env");
    expect(stdout).toBe("name │ db-42\nuse  │ postgres://db\n");
    expect(stderr).not.toContain("waits for");
    expect(code).toBe(0);
  });
});
