/** Credentials of an `http` artifact, read from its secrets (Argo 4.1 behaviour 6.7). */

import type { HTTPArtifact } from "../core/model/argo/artifact.js";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../core/std/json.js";
import { ArtifactError } from "./port.js";

/** The value of a Secret's key. Rejects with {@link ArtifactError} when there is none. */
export type ReadSecret = (name: string, key: string) => Promise<string>;

export interface HttpAccess {
  readonly headers: Readonly<Record<string, string>>;
  /** PEM, for TLS. */
  readonly clientCert?: { readonly cert: string; readonly key: string };
}

export async function httpAccessOf({ auth }: HTTPArtifact, readSecret: ReadSecret): Promise<HttpAccess> {
  if (auth === undefined) return { headers: {} };
  const [basic, oauth, cert] = [part(auth, "basicAuth"), part(auth, "oauth2"), part(auth, "clientCert")];
  const headers: Record<string, string> = {};
  if (basic !== undefined) headers["authorization"] = await basicAuthorization(basic, readSecret);
  if (oauth !== undefined) headers["authorization"] = `Bearer ${await oauthToken(oauth, readSecret)}`;
  if (cert === undefined) return { headers };
  const [certPem, keyPem] = await secretsOf(cert, ["clientCertSecret", "clientKeySecret"], readSecret);
  return { headers, clientCert: { cert: certPem ?? "", key: keyPem ?? "" } };
}

async function basicAuthorization(basic: JsonObject, readSecret: ReadSecret): Promise<string> {
  const [user = "", password = ""] = await secretsOf(basic, ["usernameSecret", "passwordSecret"], readSecret);
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

/** The client credentials grant. */
async function oauthToken(oauth: JsonObject, readSecret: ReadSecret): Promise<string> {
  const names = ["clientIDSecret", "clientSecretSecret", "tokenURLSecret"];
  const [id = "", secret = "", tokenUrl = ""] = await secretsOf(oauth, names, readSecret);
  const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
  const scopes = texts(oauth["scopes"]);
  if (scopes.length > 0) form.set("scope", scopes.join(" "));
  for (const param of isJsonList(oauth["endpointParams"]) ? oauth["endpointParams"] : []) {
    if (isJsonObject(param)) form.set(String(param["key"]), String(param["value"]));
  }
  const { request } = (await import("undici")).default;
  const answer = await request(tokenUrl, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
    body: form.toString(),
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  });
  // A proxy's page of HTML is no token either.
  const reply: unknown = await answer.body.json().catch(() => undefined);
  const token = isJsonObject(reply) ? reply["access_token"] : undefined;
  // The reply may hold secrets: only its status is told.
  if (typeof token !== "string") throw new ArtifactError("forbidden", `oauth2: no token, status ${answer.statusCode}`);
  return token;
}

function part(auth: JsonObject, name: string): JsonObject | undefined {
  const value = auth[name];
  return isJsonObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

function texts(value: Json | undefined): readonly string[] {
  return isJsonList(value) ? value.filter((one) => typeof one === "string") : [];
}

/** One value a selector; empty where the manifest gives no selector. */
function secretsOf(from: JsonObject, names: readonly string[], readSecret: ReadSecret): Promise<readonly string[]> {
  return Promise.all(
    names.map(async (name) => {
      const selector = from[name];
      if (!isJsonObject(selector)) return "";
      const { name: secret, key } = selector;
      return typeof secret === "string" && typeof key === "string" ? readSecret(secret, key) : "";
    }),
  );
}
