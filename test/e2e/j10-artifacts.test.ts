/** J10: artifacts between steps and after the run, paths that this machine does not have, the user's own files and secrets. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { User } from "./program.js";

/** No machine has these folders. */
const chain = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: chain}
spec:
  entrypoint: main
  templates:
  - name: main
    dag:
      tasks:
      - {name: make, template: make}
      - name: use
        template: use
        dependencies: [make]
        arguments:
          artifacts:
          - {name: table, from: "{{tasks.make.outputs.artifacts.table}}"}
          - {name: tree, from: "{{tasks.make.outputs.artifacts.tree}}"}
          parameters:
          - {name: rows, value: "{{tasks.make.outputs.parameters.rows}}"}
  - name: make
    script:
      image: bash
      command: [bash]
      source: |
        mkdir -p /no-such-root/deep/tree/inner
        printf 'a,b\\n1,2\\n' > /no-such-root/deep/table.csv
        echo leaf > /no-such-root/deep/tree/inner/leaf.txt
        wc -l < /no-such-root/deep/table.csv > /no-such-root/rows
    outputs:
      parameters:
      - {name: rows, valueFrom: {path: /no-such-root/rows}}
      artifacts:
      - {name: table, path: /no-such-root/deep/table.csv, archive: {none: {}}}
      - {name: tree, path: /no-such-root/deep/tree}
      - {name: perhaps, path: /no-such-root/perhaps, optional: true}
  - name: use
    inputs:
      parameters: [{name: rows}]
      artifacts:
      - {name: table, path: /another-root/in/table.csv}
      - {name: tree, path: /another-root/tree}
      - {name: note, path: /another-root/note.txt, raw: {data: "written in the manifest"}}
    script:
      image: bash
      command: [bash]
      source: |
        cat /another-root/in/table.csv /another-root/tree/inner/leaf.txt /another-root/note.txt
        echo; echo rows {{inputs.parameters.rows}}
`;

const project = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: project-}
spec:
  entrypoint: main
  templates:
  - name: main
    script:
      image: bash
      command: [bash]
      workingDir: /no-such-src
      env:
      - name: TOKEN
        valueFrom: {secretKeyRef: {name: api, key: TOKEN}}
      source: |
        cat src.txt data/readme.txt
        echo built > built.txt
        echo "$TOKEN" | tr a-z A-Z
        echo "$GREETING"
        if echo no > /no-such-docs/written.txt; then echo written; else echo refused; fi
`;

const remote = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: remote-}
spec:
  entrypoint: main
  arguments:
    artifacts:
    - name: labels
  templates:
  - name: main
    inputs:
      artifacts: [{name: labels}]
    steps:
    - - name: train
        template: train
        arguments:
          artifacts: [{name: labels, from: "{{inputs.artifacts.labels}}"}]
  - name: train
    inputs:
      artifacts:
      - {name: labels, path: /in/labels}
      - {name: data, path: /in/data, s3: {endpoint: s3.corp, bucket: ml, key: raw/day, accessKeySecret: {name: aws, key: id}}}
    script:
      image: bash
      command: [bash]
      source: |
        cat /in/labels /in/data/*.csv
        cp /in/labels /model.bin
    outputs:
      artifacts:
      - {name: model, path: /model.bin, archive: {none: {}}, s3: {endpoint: s3.corp, bucket: ml, key: models/latest.bin}}
`;

const user = new User();
const run = (...args: readonly string[]) => user.tiphys(["run", "--runtime", "host", ...args]);
const path = (name: string): string => join(user.folder, name);

beforeAll(() => {
  for (const name of ["project/data", "docs", "day"]) mkdirSync(path(name), { recursive: true });
  const files = {
    "chain.yaml": chain,
    "project.yaml": project,
    "remote.yaml": remote,
    "project/src.txt": "source\n",
    "project/data/readme.txt": "read me\n",
    "docs/a.md": "# a\n",
    ".env": "# credentials\nexport TOKEN='top secret'\n",
    "labels.txt": "cat dog\n",
    "day/1.csv": "1\n",
    "day/2.csv": "2\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path(name), text);
});

afterAll(() => user.dispose());

describe("from step to step, and after the run", () => {
  test("at paths that this machine has not", async () => {
    const { code, stdout, stderr } = await run("chain.yaml");
    expect(code, stderr).toBe(0);
    const said = stdout.split("\n").map((line) => line.replace(/^use │ /, ""));
    expect(said).toEqual(["a,b", "1,2", "leaf", "written in the manifest", "rows 2", ""]);
    for (const root of ["/no-such-root", "/another-root"]) expect(existsSync(root), root).toBe(false);
  });

  test("tiphys cp copies them out, when the run is long over", async () => {
    const { code, stderr } = await user.tiphys(["cp", "chain", "out"]);
    expect(code, stderr).toBe(0);
    const found = (await user.tiphys(["cp", "chain", "only", "--artifact-name", "table"])).code;
    expect(found).toBe(0);
    const files = filesBelow(path("out"));
    expect(files.map((file) => file.split("/").at(-1)).sort()).toEqual(["table.csv", "tree.tgz"]);
    expect(filesBelow(path("only")).map((file) => readFileSync(file, "utf8"))).toEqual(["a,b\n1,2\n"]);
    const packed = gunzipSync(readFileSync(files.find((file) => file.endsWith(".tgz")) ?? ""));
    expect(packed.includes("leaf\n")).toBe(true);
  });

  test("a target that is no folder is the user's to mend, not a matter of where tiphys keeps its things", async () => {
    writeFileSync(path("file"), "");
    const { code, stderr } = await user.tiphys(["cp", "chain", "file"]);
    expect(stderr).toContain(": a file stands where a folder should be\n");
    expect(stderr).not.toContain("TIPHYS_HOME");
    expect(code).toBe(2);
  });

  test("get names them", async () => {
    const { stdout } = await user.tiphys(["get", "chain", "-o", "json"]);
    const nodes: readonly { displayName: string; outputs?: { artifacts?: readonly { name: string }[] } }[] =
      Object.values(JSON.parse(stdout).status.nodes);
    const made = nodes.find(({ displayName }) => displayName === "make")?.outputs?.artifacts ?? [];
    expect(made.map(({ name }) => name).sort()).toEqual(["table", "tree"]);
  });
});

describe("my own files", () => {
  test("--mount of a project folder, --secret from a .env file, --env: none of it needs to be on the machine", async () => {
    const flags = ["--mount", "project:/no-such-src", "--mount", "docs:/no-such-docs:ro", "--secret", "api=.env"];
    const { code, stdout, stderr } = await run("project.yaml", ...flags, "--env", "GREETING=good day");
    expect(code, stderr).toBe(0);
    const said = stdout.split("\n").map((line) => line.replace(/^main │ /, ""));
    expect(said.slice(0, 4)).toEqual(["source", "read me", "TOP SECRET", "good day"]);
    expect(said).toContain("refused");
    expect(readFileSync(path("project/built.txt"), "utf8")).toBe("built\n");
    expect(existsSync(path("docs/written.txt"))).toBe(false);
    expect(existsSync("/no-such-src")).toBe(false);
  });

  test("what --mount names must be there: exit 2", async () => {
    const { code, stderr } = await run("project.yaml", "--secret", "api=.env", "--mount", "nothing:/src");
    expect(stderr).toContain(`error: --mount nothing:/src: ${path("nothing")}: no such file\n`);
    expect(code).toBe(2);
  });
});

describe("remote stores", () => {
  const given = ["--artifact", "labels=labels.txt", "--artifact", "train.data=day"];

  test("inputs and arguments without a location are given by --artifact; the stores are not touched", async () => {
    const { code, stdout, stderr } = await run("remote.yaml", ...given);
    expect(code, stderr).toBe(0);
    expect(stdout).toBe("train │ cat dog\ntrain │ 1\ntrain │ 2\n");
    expect(stderr).toContain("s3 not touched: a folder of this machine stands in\n");
    expect(readFileSync(join(user.home, "artifacts/s3/ml/models/latest.bin"), "utf8")).toBe("cat dog\n");
  });

  test("what an earlier run put there, the next one finds", async () => {
    mkdirSync(join(user.home, "artifacts/s3/ml/raw/day"), { recursive: true });
    writeFileSync(join(user.home, "artifacts/s3/ml/raw/day/3.csv"), "3\n");
    const { code, stdout, stderr } = await run("remote.yaml", "--artifact", "labels=labels.txt");
    expect(code, stderr).toBe(0);
    expect(stdout).toBe("train │ cat dog\ntrain │ 3\n");
  });

  test("an argument that nobody gave: exit 2, with the flag; a name that nothing takes is a warning", async () => {
    const { code, stderr } = await run("remote.yaml", "--artifact", "lables=labels.txt");
    expect(stderr).toContain('error[missing-field]  the artifact "labels" comes from nowhere\n');
    expect(stderr).toContain("or give a file: --artifact labels=PATH\n");
    expect(stderr).toContain('warning[unused]  --artifact lables: nothing takes it\n     │ did you mean "labels"?\n');
    expect(code).toBe(2);
  });

  test("--remote-artifacts says that it is not built yet, before anything runs: exit 3", async () => {
    const { code, stdout, stderr } = await run("remote.yaml", ...given, "--remote-artifacts");
    expect(stderr).toContain("error: --remote-artifacts: this version reads and writes no remote store yet\n");
    expect(stderr).toContain(`${user.home}/artifacts; --artifact NAME=PATH gives an input\n`);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  });
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
