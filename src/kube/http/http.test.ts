import { expect, test } from "vitest";
import { clusterWorkflowTemplates, leases, namespaces, pods, workflows } from "../../core/model/resources.js";
import { linesOf, textOf } from "./lines.js";
import { collectionPath, listQuery, objectPath, watchQuery, writeQuery } from "./paths.js";
import { errorOfResponse, errorOfStatus } from "./status.js";

test.each([
  [collectionPath(pods, "ns"), "/api/v1/namespaces/ns/pods"],
  [collectionPath(pods), "/api/v1/pods"],
  [collectionPath(namespaces, "ignored"), "/api/v1/namespaces"],
  [collectionPath(clusterWorkflowTemplates), "/apis/argoproj.io/v1alpha1/clusterworkflowtemplates"],
  [objectPath(workflows, { namespace: "ns", name: "w" }), "/apis/argoproj.io/v1alpha1/namespaces/ns/workflows/w"],
  [
    objectPath(leases, { namespace: "a/b", name: "c?d" }, "status"),
    "/apis/coordination.k8s.io/v1/namespaces/a%2Fb/leases/c%3Fd/status",
  ],
  [listQuery({}), ""],
  [
    listQuery({ labelSelector: "a in (b,c)", fieldSelector: "x=y", limit: 5, continue: "t=", resourceVersion: "0" }),
    "?labelSelector=a%20in%20(b%2Cc)&fieldSelector=x%3Dy&limit=5&continue=t%3D&resourceVersion=0",
  ],
  [watchQuery({ resourceVersion: "7" }), "?watch=true&resourceVersion=7"],
  [
    watchQuery({ resourceVersion: "7", allowBookmarks: true, timeoutSeconds: 300 }),
    "?watch=true&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=300",
  ],
  [writeQuery({ dryRun: true }), "?dryRun=All"],
  [writeQuery({ dryRun: false }), ""],
])("%s", (actual, expected) => {
  expect(actual).toBe(expected);
});

test.each([
  [
    409,
    '{"kind":"Status","reason":"AlreadyExists","message":"m","code":409}',
    {},
    { code: 409, reason: "AlreadyExists", message: "m" },
  ],
  [409, '{"kind":"Status","reason":"Conflict","message":"m"}', {}, { code: 409, reason: "Conflict", message: "m" }],
  [422, '{"kind":"Status","reason":"Strange","message":"m"}', {}, { code: 422, reason: "Invalid", message: "m" }],
  [
    429,
    "slow down\n",
    { "retry-after": "3" },
    { code: 429, reason: "TooManyRequests", message: "slow down", retryAfterSeconds: 3 },
  ],
  [
    503,
    '{"kind":"Status","message":"m","details":{"retryAfterSeconds":9}}',
    {},
    { reason: "ServiceUnavailable", retryAfterSeconds: 9 },
  ],
  [502, "<html>", {}, { code: 502, reason: "Unknown", message: "<html>" }],
  [500, "", {}, { code: 500, reason: "InternalError", message: "HTTP 500" }],
])("%d %s", (status, text, headers, expected) => {
  expect(errorOfResponse({ status, headers }, text)).toMatchObject(expected);
});

test("an ERROR event's Status brings its own code", () => {
  expect(errorOfStatus({ kind: "Status", code: 410, reason: "Expired", message: "too old" })).toMatchObject({
    code: 410,
    reason: "Expired",
    message: "too old",
  });
});

async function* bytes(...chunks: readonly (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

async function lines(body: AsyncIterable<Uint8Array>): Promise<string[]> {
  const read: string[] = [];
  for await (const line of linesOf(body)) read.push(line);
  return read;
}

test("lines, however the bytes are cut", async () => {
  const umlaut = Buffer.from("ä\n");
  expect(await lines(bytes("a\nb", "c", "\n\n", umlaut.subarray(0, 1), umlaut.subarray(1), "d\n"))).toEqual([
    "a",
    "bc",
    "ä",
    "d",
  ]);
  expect(await lines(bytes())).toEqual([]);
  await expect(lines(bytes("a\n", '{"type":'))).rejects.toThrow("in the middle of a line");
  expect(await textOf(bytes("a", umlaut.subarray(0, 1), umlaut.subarray(1)))).toBe("aä\n");
});
