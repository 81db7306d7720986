/** The step's own containers, as the template names them, each with a command (Argo 4.1 behaviour 5.3). */

import type { Template } from "../model/argo/template.js";
import type { Container } from "../model/kube/pod.js";
import { err, ok, type Result } from "../std/result.js";
import type { ImageCommand, PodConfig } from "./request.js";

export function kindIsContainerSet(template: Template): boolean {
  return template.containerSet !== undefined;
}

/** Container and script give `main`, a container set its containers under their own names. */
export function mainsOf(template: Template): Result<readonly Container[]> {
  if (template.container !== undefined) return ok([{ ...template.container, name: "main" }]);
  if (template.script !== undefined) {
    const { source, ...container } = template.script;
    return ok([{ ...container, name: "main" }]);
  }
  if (template.containerSet !== undefined) {
    return ok(template.containerSet.containers.map(({ dependencies, ...container }) => container));
  }
  return err(`template '${template.name ?? ""}' has no container`);
}

/** Each with a command, if need be from the table of images; the first that has none is the error, in Argo's words. */
export function withCommands<T extends Container>(containers: readonly T[], config: PodConfig): Result<readonly T[]> {
  const found: T[] = [];
  for (const container of containers) {
    const result = withCommand(container, config);
    if (!result.ok) return result;
    found.push(result.value);
  }
  return ok(found);
}

function withCommand<T extends Container>(container: T, config: PodConfig): Result<T> {
  if ((container.command ?? []).length > 0) return ok(container);
  const image = container.image ?? "";
  const listed = config.images.get(image);
  if (listed !== undefined) return ok(fromImage(container, listed));
  if (config.missingCommand === "image") return ok(container);
  return err(
    `failed to look-up entrypoint/cmd for image "${image}", you must either explicitly specify the command, ` +
      `or list the image's command in the index: ${INDEX_URL}: not listed under "images"`,
  );
}

const INDEX_URL = "https://argo-workflows.readthedocs.io/en/latest/workflow-executors/#emissary-emissary";

/** The image's cmd only where the container has no args at all; an empty list is a choice. */
function fromImage<T extends Container>(container: T, { entrypoint, cmd }: ImageCommand): T {
  const args = container.args ?? cmd ?? [];
  const command = entrypoint ?? [];
  // An image with cmd alone runs cmd: its first word is the program.
  return command.length > 0
    ? { ...container, command, args }
    : { ...container, command: args.slice(0, 1), args: args.slice(1) };
}
