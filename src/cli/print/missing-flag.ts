/** The flag that gives what a pod waited for in vain, from the words of its status. */

import { shellWord } from "./shell-words.js";

/** Of a volume, whose keys become files, the kubelet says more. */
const NOT_FOUND = /^(MountVolume\.SetUp failed for volume "[^"]*" : )?(\w+) "([^"]+)" not found/;

/** `secret "db" not found` -> `--secret db=.env`; empty where no flag gives it. */
export function missingFlag(note: string): string {
  const [, volume, kind = "", object = ""] = NOT_FOUND.exec(note) ?? [];
  switch (kind) {
    case "secret":
      return `--secret ${shellWord(`${object}=${volume === undefined ? ".env" : "DIR"}`)}`;
    case "configmap":
      return `--configmap ${shellWord(`${object}=DIR`)}`;
    case "persistentvolumeclaim":
      return "--with FILE";
    default:
      return missingKey(note);
  }
}

function missingKey(note: string): string {
  const [, key = "", kind = "", name = ""] =
    /^couldn't find key (\S+) in (Secret|ConfigMap) [^/\s]+\/(\S+)/.exec(note) ?? [];
  if (kind === "") return "";
  return `--${kind.toLowerCase()} ${shellWord(`${name}/${key}=VALUE`)}`;
}
