/** A place that is up, with a step at work in it. */

import { expect } from "vitest";
import type { Running, User } from "./program.js";

/** A workflow that is nothing but a shell's script, which has `graceSeconds` to end. */
export const scriptWorkflow = (
  name: string,
  script: string,
  graceSeconds = 30,
): string => `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: ${name}
spec:
  entrypoint: main
  templates:
    - name: main
      podSpecPatch: '{"terminationGracePeriodSeconds": ${graceSeconds}}'
      container:
        image: busybox
        command: [sh, -c, "${script}"]
`;

export interface Up {
  readonly up: Running;
  readonly socket: string;
}

/** `file` holds a workflow of that name, whose step says "begun". */
export async function upWith(user: User, name: string, file: string): Promise<Up> {
  const up = user.start(["up", "--runtime", "host"]);
  await up.printed(/^up: .*$/m);
  expect(await user.tiphys(["submit", file])).toMatchObject({ code: 0 });
  const logs = user.start(["logs", "-f", name]);
  await logs.printed(/begun/);
  return { up, socket: /^up: (.*)$/m.exec(up.stderr)?.[1] ?? "" };
}
