/** Artifacts fetched by HTTP: bounded in size and time, redirects only from HTTP to HTTP, secrets only to the first host. */

import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Dispatcher } from "undici";
import type { Artifact, HTTPArtifact } from "../core/model/argo/artifact.js";
import { type HttpAccess, httpAccessOf, type ReadSecret } from "./http-auth.js";
import { ArtifactError, type ArtifactStore, artifactErrorOf } from "./port.js";

export interface HttpLimits {
  readonly bytesMax: number;
  /** Without a byte. */
  readonly idleMs: number;
  readonly redirectsMax: number;
}

export const defaultHttpLimits: HttpLimits = { bytesMax: 64 * 2 ** 30, idleMs: 60_000, redirectsMax: 10 };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export class HttpStore implements ArtifactStore {
  constructor(
    private readonly readSecret: ReadSecret,
    private readonly limits: HttpLimits = defaultHttpLimits,
  ) {}

  put(artifact: Artifact): Promise<void> {
    const message = `http output artifacts are not written from one machine (artifact ${artifact.name})`;
    return Promise.reject(new ArtifactError("unsupported", message));
  }

  async get(artifact: Artifact, hostPath: string, signal?: AbortSignal): Promise<void> {
    const { http } = artifact;
    if (http === undefined) throw new ArtifactError("invalid", `artifact ${artifact.name} has no URL`);
    const url = webUrl(http.url ?? "", undefined);
    const { Agent } = (await import("undici")).default;
    let dispatcher: Dispatcher | undefined;
    try {
      const access = await httpAccessOf(http, this.readSecret);
      dispatcher = new Agent({
        headersTimeout: this.limits.idleMs,
        bodyTimeout: this.limits.idleMs,
        ...(access.clientCert === undefined ? {} : { connect: access.clientCert }),
      });
      await this.#load({ url, http, access, dispatcher, hostPath, signal });
    } catch (error) {
      await rm(hostPath, { force: true });
      throw artifactErrorOf(error, `loading file from ${url.href} failed`);
    } finally {
      await dispatcher?.destroy();
    }
  }

  async #load(load: Load): Promise<void> {
    const { request } = (await import("undici")).default;
    let { url } = load;
    for (let left = this.limits.redirectsMax; ; left--) {
      const answer = await request(url, {
        dispatcher: load.dispatcher,
        headers: headersFor(load, url),
        signal: load.signal ?? null,
      });
      const { location } = answer.headers;
      if (REDIRECTS.has(answer.statusCode) && typeof location === "string") {
        await answer.body.dump();
        if (left === 0) throw new ArtifactError("failed", `${load.url.href}: too many redirects`);
        url = webUrl(location, url);
        continue;
      }
      return this.#save(answer, url, load.hostPath);
    }
  }

  async #save({ statusCode, body }: Dispatcher.ResponseData, url: URL, hostPath: string): Promise<void> {
    if (statusCode < 200 || statusCode > 299) {
      await body.dump();
      const code = statusCode === 404 ? "not-found" : statusCode === 401 || statusCode === 403 ? "forbidden" : "failed";
      throw new ArtifactError(code, `loading file from ${url.href} failed with reason: ${statusCode}`);
    }
    await pipeline(body, atMost(this.limits.bytesMax), createWriteStream(hostPath, { flags: "wx" }));
  }
}

interface Load {
  readonly url: URL;
  readonly http: HTTPArtifact;
  readonly access: HttpAccess;
  readonly dispatcher: Dispatcher;
  readonly hostPath: string;
  readonly signal: AbortSignal | undefined;
}

/** What the manifest says goes to the host it names; another one, reached by a redirect, gets nothing of it. */
function headersFor({ url, http, access }: Load, current: URL): Record<string, string> {
  if (current.origin !== url.origin) return {};
  const own = (http.headers ?? []).map(({ name, value }) => [name, value] as const);
  return Object.fromEntries([...own, ...Object.entries(access.headers)]);
}

function webUrl(text: string, base: URL | undefined): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new ArtifactError("invalid", `"${text}" is not an http or https URL`);
  }
  return url;
}

function atMost(bytesMax: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > bytesMax) done(new ArtifactError("too-large", `more than ${bytesMax} bytes`));
      else done(null, chunk);
    },
  });
}
