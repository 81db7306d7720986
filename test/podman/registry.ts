/** A small image registry on loopback: one image, with or without a login. */

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

export interface Registry {
  /** `127.0.0.1:PORT` */
  readonly address: string;
  /** Paths that were asked for, those of manifests. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Serves `name:1`, an image of one small file; `login: true` answers 401 to everything. */
export async function serveImage(name: string, { login }: { readonly login: boolean }): Promise<Registry> {
  const { manifest, blobs } = await imageOf();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = request.url ?? "";
    if (login) {
      response.writeHead(401, { "www-authenticate": 'Basic realm="test"' }).end("{}");
      return;
    }
    if (url === "/v2/") return void response.writeHead(200).end("{}");
    if (url.includes("/manifests/")) asked.push(url);
    const blob = blobs.get(url.split("/").at(-1) ?? "");
    if (url === `/v2/${name}/manifests/1` || url === `/v2/${name}/manifests/${digestOf(manifest)}`) {
      response.writeHead(200, {
        "content-type": MANIFEST,
        "docker-content-digest": digestOf(manifest),
        "content-length": manifest.length,
      });
      response.end(request.method === "HEAD" ? undefined : manifest);
    } else if (blob !== undefined) {
      response.writeHead(200, { "content-type": "application/octet-stream", "content-length": blob.length });
      response.end(request.method === "HEAD" ? undefined : blob);
    } else {
      const errors = [{ code: "MANIFEST_UNKNOWN", message: "manifest unknown" }];
      response.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify({ errors }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

async function imageOf() {
  const tar = pack();
  tar.entry({ name: "hello" }, "hello\n");
  tar.finalize();
  const parts: Buffer[] = [];
  for await (const part of tar) if (Buffer.isBuffer(part)) parts.push(part);
  const layer = Buffer.concat(parts);
  const packed = gzipSync(layer);
  const architecture = process.arch === "x64" ? "amd64" : process.arch;
  const rootfs = { type: "layers", diff_ids: [digestOf(layer)] };
  const config = Buffer.from(JSON.stringify({ architecture, os: "linux", config: { Cmd: ["/hello"] }, rootfs }));
  const reference = (mediaType: string, bytes: Buffer) => ({ mediaType, size: bytes.length, digest: digestOf(bytes) });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: MANIFEST,
      config: reference("application/vnd.docker.container.image.v1+json", config),
      layers: [reference("application/vnd.docker.image.rootfs.diff.tar.gzip", packed)],
    }),
  );
  const blobs = new Map([config, packed].map((bytes) => [digestOf(bytes), bytes]));
  return { manifest, blobs };
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
