/** Law 7: nothing that a controller wrote leaves it while the lease names another process, or none. */

import { electionOf } from "../world/components.js";
import type { MakeInvariant } from "./invariant.js";

export const onlyLeaderWrites: MakeInvariant = (world, fail) => ({
  sent: ({ process, verb, type, key }) => {
    if (world.options.controllers === 1 || !process.role.startsWith("controller-")) return;
    const { identity } = electionOf(process);
    if (world.leaseHolder !== identity)
      fail(`${identity} sent ${verb} of ${type.plural} ${key.name} while ${world.leaseHolder || "nobody"} led`);
  },
});
