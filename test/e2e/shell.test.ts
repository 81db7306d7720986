/** `tiphys shell`: on a terminal and in a pipe, a shell in the step that failed, as it left its files. */

import { afterEach, beforeEach, expect, test } from "vitest";
import { User } from "./program.js";

function failing(path: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  name: fails
spec:
  entrypoint: main
  templates:
    - name: main
      container:
        image: busybox
        workingDir: /work
        env:
          - name: WHO
            value: me
          # What else readline writes is not for the screen of these tests.
          - name: INPUTRC
            value: /work/inputrc
          - name: PATH
            value: ${path}
        command: [/bin/sh, -c]
        args: ['echo "set enable-bracketed-paste off" >/work/inputrc; echo left >/work/file; echo other >/tmp/here; exit 3']
`;
}

/** No bash is found there: the shell is the machine's sh. */
const BARE = "/nowhere";

let user: User;

beforeEach(() => {
  user = new User();
});
afterEach(() => user.dispose());

test.each([
  { name: "the machine's sh", path: BARE },
  { name: "the best shell there is", path: process.env["PATH"] ?? "" },
])("on a terminal, $name: files, environment, Ctrl-C for what runs in it, and its exit code", async ({ path }) => {
  user.file("fails.yaml", failing(path));
  expect((await user.tiphys(["run", "fails.yaml", "--runtime", "host", "--no-log"])).code).toBe(1);
  const terminal = user.terminal(["shell", "fails"], { columns: 200, rows: 50 });
  await terminal.shows(/it ran: .*[#$]$/s);
  terminal.type('/bin/cat file /tmp/here; echo "$WHO on $TERM in $PWD"\r');
  await terminal.shows(/^left\nother\nme on xterm-256color in \/work\n\S*[#$]$/m);
  // Said by the program itself: it has the terminal by then.
  terminal.type("/bin/sh -c 'echo sleeping; exec /bin/sleep 1000'\r");
  await terminal.shows(/^sleeping$/m);
  terminal.type("\u0003");
  await terminal.shows(/\^C\s+\S*[#$]$/);
  terminal.type("echo interrupted $?\r");
  await terminal.shows(/^interrupted 130\n\S*[#$]$/m);
  terminal.type("exit 5\r");
  expect(await terminal.ended).toBe(5);
  expect(terminal.output).not.toMatch(/process group|tty/);
});

test("in a pipe: its words are commands, and the step stays as it was", async () => {
  user.file("fails.yaml", failing(BARE));
  await user.tiphys(["run", "fails.yaml", "--runtime", "host", "--no-log"]);
  const stdin = 'while read -r line; do echo "$line"; done <file; exit 7\n';
  const shell = await user.tiphys(["shell", "fails", "main"], { stdin });
  expect(shell).toMatchObject({ code: 7, stdout: "left\n" });
  expect(shell.stderr).toMatch(/it ran: \/bin\/sh -c .*echo left/);
  const after = await user.tiphys(["get", "fails", "-o", "json"]);
  expect(JSON.parse(after.stdout).status).toMatchObject({ phase: "Failed" });
});

test("of a step that succeeded nothing was kept, unless it was asked for", async () => {
  const working = failing(BARE).replace("exit 3", "exit 0").replace("name: fails", "generateName: works-");
  user.file("works.yaml", working);
  expect((await user.tiphys(["run", "works.yaml", "--runtime", "host"])).code).toBe(0);
  const nothing = await user.tiphys(["shell", "@latest", "main"], { stdin: "exit 7\n" });
  expect(nothing.stderr).toContain("only failed steps are kept");
  expect(nothing.code).toBe(3);
  expect((await user.tiphys(["run", "works.yaml", "--runtime", "host", "--keep", "always"])).code).toBe(0);
  expect(await user.tiphys(["shell", "@latest", "main"], { stdin: "exit 7\n" })).toMatchObject({ code: 7 });
});

test("of a step whose pod the API refused there is nothing to look at, and nobody is sent there", async () => {
  user.file(
    "refused.yaml",
    `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: refused}
spec:
  entrypoint: main
  templates:
    - name: main
      container: {image: busybox, command: [echo], env: [{name: A=B, value: x}]}
`,
  );
  const { code, stderr } = await user.tiphys(["run", "refused.yaml", "--runtime", "host"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/Pod "refused" is invalid: spec\.containers\[0\]\.env\[\d\]\.name: Invalid value: "A=B": /);
  expect(stderr).toMatch(/after a fix, only the rest .*\n$/);
  const shell = await user.tiphys(["shell", "refused"]);
  expect({ code: shell.code, stderr: shell.stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/^error: refused of refused never ran: Pod "refused" is invalid: .*\n$/),
  });
});
