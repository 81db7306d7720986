/** sprig's URLs and paths. */

import { trimEnd } from "../builtins/text.js";
import type { ExprKey, ExprMap, ExprValue } from "../values/value.js";
import { ValueFault } from "../values/value.js";
import { castString } from "./cast.js";
import { aliases, define, type SprigRow } from "./define.js";

const URL_SHAPE = /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

function pathRow(name: string, osName: string, operation: (path: string) => ExprValue): readonly SprigRow[] {
  const row = define(name, ["string"], ([path]) => operation(path));
  return [row, ...aliases(row, osName)];
}

export const urlRows: readonly SprigRow[] = [
  define("urlParse", ["string"], ([text]) => parseUrl(text)),
  define("urlJoin", ["map"], ([parts]) => joinUrl(parts)),
  ...pathRow("base", "osBase", base),
  ...pathRow("dir", "osDir", directory),
  ...pathRow("clean", "osClean", clean),
  ...pathRow("ext", "osExt", (path) => /\.[^./]*$/.exec(path)?.[0] ?? ""),
  ...pathRow("isAbs", "osIsAbs", (path) => path.startsWith("/")),
];

function parseUrl(text: string): ExprMap {
  const match = URL_SHAPE.exec(text);
  if (match === null || /[\u0000-\u001f\u007f]/.test(text))
    throw new ValueFault(`unable to parse url: parse "${text}"`);
  const [, scheme = "", authority, path = "", query = "", fragment = ""] = match;
  const at = authority?.lastIndexOf("@") ?? -1;
  const host = authority?.slice(at + 1) ?? "";
  const isOpaque = scheme !== "" && authority === undefined && !path.startsWith("/");
  return new Map<ExprKey, ExprValue>([
    ["scheme", scheme.toLowerCase()],
    ["userinfo", at >= 0 ? (authority?.slice(0, at) ?? "") : ""],
    ["host", host],
    ["hostname", host.replace(/:\d*$/, "").replace(/^\[(.*)\]$/, "$1")],
    ["path", isOpaque ? "" : unescapePath(path)],
    ["query", query],
    ["opaque", isOpaque ? path : ""],
    ["fragment", unescapePath(fragment)],
  ]);
}

function unescapePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function joinUrl(parts: ExprMap): string {
  const part = (name: string): string => castString(parts.get(name) ?? "");
  const scheme = before(part("scheme"), ":");
  const tail = behind("?", part("query")) + behind("#", encodeURI(part("fragment")));
  if (part("opaque") !== "") return scheme + part("opaque") + tail;
  const authority = behind("//", before(part("userinfo"), "@") + part("host"));
  const path = encodeURI(part("path"));
  const joint = authority !== "" && path !== "" && !path.startsWith("/") ? "/" : "";
  return scheme + authority + joint + path + tail;
}

/** With the mark, unless there is nothing. */
function before(text: string, mark: string): string {
  return text === "" ? "" : text + mark;
}

function behind(mark: string, text: string): string {
  return text === "" ? "" : mark + text;
}

function base(path: string): string {
  if (path === "") return ".";
  const stripped = trimEnd(path, (character) => character === "/");
  return stripped === "" ? "/" : stripped.slice(stripped.lastIndexOf("/") + 1);
}

function directory(path: string): string {
  return clean(path.slice(0, path.lastIndexOf("/") + 1));
}

/** The shortest way to say the same path. */
function clean(path: string): string {
  const isAbsolute = path.startsWith("/");
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") kept.push(part);
    else if (kept.length > 0 && kept.at(-1) !== "..") kept.pop();
    else if (!isAbsolute) kept.push(part);
  }
  const joined = kept.join("/");
  if (isAbsolute) return `/${joined}`;
  return joined === "" ? "." : joined;
}
