/** `--stub`: templates that must not or cannot run here stand aside, in the first run and in all that follows of it. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { User } from "./program.js";

/** Nothing but `hold` and `show` could run on this machine: no such kind, no such person, no such image, no such store. */
const training = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: training
spec:
  entrypoint: main
  templates:
    - name: main
      dag:
        tasks:
          - name: notify
            template: notify
          - name: approve
            template: approve
          - name: lib
            templateRef:
              name: not-given
              template: build
          - name: hold
            depends: notify && approve && lib
            template: hold
          - name: train
            depends: hold
            template: train
          - name: show
            depends: train
            template: show
            withParam: "{{tasks.train.outputs.parameters.epochs}}"
            arguments:
              parameters:
                - name: epoch
                  value: "{{item}}"
                - name: result
                  value: "{{tasks.train.outputs.result}} {{tasks.lib.outputs.parameters.sha}}"
              artifacts:
                - name: model
                  from: "{{tasks.train.outputs.artifacts.model}}"
    - name: notify
      http:
        url: https://example.invalid/
    - name: approve
      suspend: {}
    - name: hold
      retryStrategy:
        limit: 1
        retryPolicy: Always
      container:
        image: busybox
        command: [sh, -c]
        args: ['echo begun; while [ ! -e "$SEEN/go" ]; do sleep 0.05; done']
    - name: train
      inputs:
        artifacts:
          - name: data
            path: /data
            s3:
              bucket: ml
              key: raw
      outputs:
        parameters:
          - name: epochs
            valueFrom:
              path: /out/epochs
        artifacts:
          - name: model
            path: /out/model
            s3:
              bucket: ml
              key: latest
      nodeSelector:
        accelerator: h100
      container:
        image: registry.corp.example/train:1
        resources:
          limits:
            nvidia.com/gpu: 8
    - name: show
      inputs:
        parameters:
          - name: epoch
          - name: result
        artifacts:
          - name: model
            path: /tmp/model
      container:
        image: busybox
        command: [sh, -c]
        args: ['echo {{inputs.parameters.epoch}} {{inputs.parameters.result}} "$(cat /tmp/model)"']
`;

const trained = `parameters: {epochs: [1, 2]}
artifacts: {model: weights}
result: trained
`;

const flags = ["--stub", "notify", "--stub", "approve", "--stub", "train=trained.yaml", "--stub", "build=built.yaml"];

let user: User;

beforeEach(() => {
  user = new User();
  user.file("training.yaml", training);
  user.file("trained.yaml", trained);
  user.file("built.yaml", "parameters: {sha: abc}\n");
});
afterEach(() => user.dispose());

test("stubs hold in the run, in the run that goes on after a crash, and when it is retried", async () => {
  const running = user.start(["run", "training.yaml", "--runtime", "host", ...flags, ...user.traced]);
  await running.printed(/begun/);
  running.child.kill("SIGKILL");
  await running.ended;
  user.file("shared/go", "");
  const resumed = await user.tiphys(["run", "--resume", "training"]);
  expect(resumed.stdout).toMatch(/^train +│ trained$/m);
  expect(resumed.stdout).toMatch(/^show\(0:1\) +│ 1 trained abc weights$/m);
  expect(resumed.stdout).toMatch(/^show\(1:2\) +│ 2 trained abc weights$/m);
  expect(resumed.code).toBe(0);
  const retried = await user.tiphys([
    "retry",
    "training",
    "--restart-successful",
    "--node-field-selector",
    "displayName=train",
  ]);
  expect(retried.stdout).toMatch(/^train +│ trained$/m);
  expect(retried).toMatchObject({ code: 0 });
  const log = await user.tiphys(["logs", "training", "train"]);
  expect(log).toMatchObject({ code: 0, stdout: expect.stringMatching(/^training-train-\d+: trained\n$/) });
});

test("a name that no template has, or an output without a value, starts nothing", async () => {
  const slip = await user.tiphys(["run", "training.yaml", "--stub", "trian"]);
  expect(slip.stderr).toContain('--stub trian: no template has that name\n     │ did you mean "train"?');
  expect(slip.code).toBe(2);
  const bare = await user.tiphys(["run", "training.yaml", "--stub", "train"]);
  expect(bare.stderr).toContain('the stub of "train" gives its output parameter epochs no value and no default');
  expect(bare.code).toBe(2);
  user.file("wrong.yaml", "parameters: {epochs: 1}\nartifacts: {model: x}\nexitCode: some\n");
  const others = ["--stub", "notify", "--stub", "approve", "--stub", "build=built.yaml"];
  const wrong = await user.tiphys([
    "run",
    "training.yaml",
    "--runtime",
    "host",
    "--stub",
    "train=wrong.yaml",
    ...others,
  ]);
  expect(wrong.stderr).toMatch(/wrong\.yaml: exitCode: must be a whole number/);
  expect(wrong.code).toBe(2);
});
