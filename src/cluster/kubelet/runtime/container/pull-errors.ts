/** Why an image could not be pulled, in one line that says what to do. */

import { registryOf } from "./image-name.js";
import type { ContainerProgramName } from "./program.js";

interface Cause {
  readonly pattern: RegExp;
  readonly say: (at: { readonly registry: string; readonly login: string; readonly words: string }) => string;
}

/** The first that fits counts. */
const causes: readonly Cause[] = [
  {
    pattern: /toomanyrequests|\b429\b|rate limit/i,
    say: ({ registry, login }) => `429, ${registry} allows no more pulls for now: ${login}`,
  },
  {
    pattern: /repository does not exist or may require|requested access to the resource is denied/i,
    say: ({ registry, login }) => `there is no such image in ${registry}, or it needs a login: ${login}`,
  },
  {
    pattern: /\b401\b|unauthorized|authentication required|no basic auth|invalid username\/password/i,
    say: ({ login }) => `401, no login: ${login}`,
  },
  { pattern: /\b403\b|forbidden|denied/i, say: ({ login }) => `403, this login may not read it: ${login}` },
  {
    pattern: /no matching manifest|no image found in (?:manifest list|image index) for/i,
    say: ({ words }) => `not made for this platform (${words}): try --platform`,
  },
  {
    pattern: /manifest unknown|name unknown|not found|\b404\b/i,
    say: ({ registry }) => `not found in ${registry}`,
  },
  { pattern: /no space left/i, say: () => "no space left on the disk that keeps images" },
  {
    pattern:
      /no such host|connection refused|i\/o timeout|network is unreachable|timeout|dial tcp|EOF|server misbehaving/i,
    say: ({ registry, words }) => `${registry} cannot be reached (${lastOf(words)})`,
  },
];

/** `complaint`: the program's last words. */
export function pullMessage(program: ContainerProgramName, image: string, complaint: string): string {
  const registry = registryOf(image);
  const login = registry === "docker.io" ? `${program} login` : `${program} login ${registry}`;
  // A number in the image's own name says nothing.
  const words = complaint.replaceAll(image, "").replaceAll(registry, "");
  const cause = causes.find(({ pattern }) => pattern.test(words));
  return `${image}: ${cause?.say({ registry, login, words: complaint }) ?? complaint}`;
}

/** `pinging container registry x: Get "https://x/v2/": dial tcp: lookup x: no such host` -> `no such host`. */
function lastOf(words: string): string {
  return words.split(": ").at(-1) ?? words;
}
