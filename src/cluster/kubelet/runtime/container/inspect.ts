/** What `inspect` says of containers and images, as far as this driver reads it. */

export interface ContainerFacts {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  /** "created": it never ran. */
  readonly state: "created" | "running" | "ended";
  readonly exitCode: number;
  readonly oomKilled: boolean;
  /** Milliseconds since the epoch; undefined: it never did, or nobody knows when. */
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** Its own address; undefined when it has none (yet, any more, or because it uses another one's). */
  readonly ip: string | undefined;
}

const ALIVE = new Set(["running", "paused", "restarting", "stopping", "removing"]);

/** Facts of the containers in `inspect`'s output; what is no container is left out. */
export function parseContainers(text: string): readonly ContainerFacts[] {
  return list(parsed(text)).flatMap((one) => {
    const facts = containerOf(record(one));
    return facts === undefined ? [] : [facts];
  });
}

function containerOf(value: Fields): ContainerFacts | undefined {
  const id = string(value["Id"]);
  if (id === undefined) return undefined;
  const state = record(value["State"]);
  const startedAt = time(state["StartedAt"]);
  const isAlive = state["Running"] === true || ALIVE.has(string(state["Status"]) ?? "");
  return {
    id,
    labels: strings(record(value["Config"])["Labels"]),
    state: isAlive ? "running" : startedAt === undefined ? "created" : "ended",
    exitCode: number(state["ExitCode"]) ?? -1,
    oomKilled: state["OOMKilled"] === true,
    startedAt,
    finishedAt: time(state["FinishedAt"]),
    ip: addressOf(record(value["NetworkSettings"])),
  };
}

function addressOf(network: Fields): string | undefined {
  const networks = Object.values(record(network["Networks"])).map((one) => string(record(one)["IPAddress"]));
  return [string(network["IPAddress"]), ...networks].find((one) => one !== undefined && one !== "");
}

export interface ImageFacts {
  readonly id: string;
  readonly os: string;
  readonly architecture: string;
  /** Who its containers run as; empty: root. */
  readonly user: string;
}

export function parseImage(text: string): ImageFacts | undefined {
  const value = record(list(parsed(text))[0]);
  const id = string(value["Id"]);
  if (id === undefined) return undefined;
  return {
    id,
    os: string(value["Os"]) ?? "",
    architecture: string(value["Architecture"]) ?? "",
    user: string(record(value["Config"])["User"]) ?? string(value["User"]) ?? "",
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function record(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function string(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function strings(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(record(value)).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}

/** Go's zero time (year 1) is no time. */
function time(value: unknown): number | undefined {
  const at = Date.parse(string(value) ?? "");
  return Number.isNaN(at) || at <= 0 ? undefined : at;
}
