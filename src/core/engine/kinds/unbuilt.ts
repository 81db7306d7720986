/** Kinds that cannot be run yet: an Error that says so, never a silent success. */

import { createNode } from "../nodes/change.js";
import { failWith, type Kind } from "./kind.js";

export function unbuiltKind(name: string): Kind {
  return {
    begin: ({ pass, frame, template }) => createNode(pass, frame.call, { type: "Skipped", phase: "Error", template }),
    proceed: ({ template }, node) => {
      const message =
        name === "none"
          ? `template '${template.name ?? ""}' type is unknown`
          : `template kind ${name} is not built yet`;
      return failWith(message, node);
    },
    wants: (_at, node) => ({ node }),
  };
}
