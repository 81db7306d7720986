/** The flag that gives what a pod waited for in vain, from the words of its status. */

import { shellWord } from "./shell-words.js";

/** `secret "db" not found` -> `--secret db=.env`; empty where no flag gives it. */
export function missingFlag(note: string): string {
  const [, kind = "", object = ""] = /^(\w+) "([^"]+)" not found/.exec(note) ?? [];
  switch (kind) {
    case "secret":
      return `--secret ${shellWord(`${object}=.env`)}`;
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
