/** A user of the installed program whose steps run in containers. */

import { User } from "../e2e/program.js";
import type { ContainerMachine } from "./machine.js";

export class ContainerUser extends User {
  constructor(readonly machine: ContainerMachine) {
    super();
  }

  /** Words of `run` that name the program. */
  get runtime(): readonly string[] {
    return ["--runtime", this.machine.program];
  }

  /** IDs of all containers of steps, or of those that run. */
  async containers(which: "all" | "running" = "all"): Promise<string> {
    const all = which === "all" ? ["--all"] : [];
    return (await this.machine.cli("ps", ...all, "--quiet", "--filter", "name=tiphys_wf")).stdout.trim();
  }

  /** Path of a file with a workflow `wf`. */
  workflow(body: string): string {
    return this.file(
      "wf.yaml",
      `apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: wf}\nspec:\n${body}`,
    );
  }

  /** The machine's settings, without the addresses that keep other tests from container programs. */
  protected override environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    const { CONTAINERS_CONF = "", CONTAINERS_STORAGE_CONF = "", DOCKER_HOST = "" } = this.machine.env;
    return super.environment({ CONTAINERS_CONF, CONTAINERS_STORAGE_CONF, DOCKER_HOST, CONTAINER_HOST: "", ...extra });
  }
}

/** A template that runs a shell script. */
export function sh(name: string, script: string): string {
  // Kubernetes reads two dollars in arguments as one.
  const arg = JSON.stringify(script.replaceAll("$$", () => "$$$$"));
  return `  - name: ${name}\n    container: {image: busybox, command: [sh, -c], args: [${arg}]}\n`;
}
