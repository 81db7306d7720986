/** Input artifacts from a web server, by the program as it is built: what it loads late has to be there then. */

import { createServer, type Server } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { User } from "./program.js";

function fetching(url: string): string {
  return `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata:
  generateName: fetch-
spec:
  entrypoint: main
  templates:
    - name: main
      inputs:
        artifacts:
          - name: page
            path: /tmp/page
            http:
              url: ${url}
      container:
        image: busybox
        command: [cat, /tmp/page]
`;
}

let user: User;
let server: Server;
let address = "";

beforeEach(async () => {
  user = new User();
  server = createServer((request, response) => {
    if (request.url === "/moved") response.writeHead(302, { Location: "/page" }).end();
    else response.writeHead(request.url === "/page" ? 200 : 404).end("from the web\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = server.address();
  address = typeof at === "object" && at !== null ? `http://127.0.0.1:${at.port}` : "";
});
afterEach(async () => {
  await user.dispose();
  await new Promise((resolve) => server.close(resolve));
});

test.each(["/page", "/moved"])("what lies at %s is where the step reads it", async (path) => {
  user.file("fetch.yaml", fetching(`${address}${path}`));
  const run = await user.tiphys(["run", "fetch.yaml", "--runtime", "host"]);
  expect(run.stdout).toMatch(/^\S+ │ from the web\n$/);
  expect(run.code).toBe(0);
});

test("what is not there fails the step with the address and the answer", async () => {
  user.file("fetch.yaml", fetching(`${address}/nothing`));
  const run = await user.tiphys(["run", "fetch.yaml", "--runtime", "host"]);
  expect(run.stderr).toContain(`${address}/nothing`);
  expect(run.stderr).toContain("404");
  expect(run.code).toBe(1);
});
