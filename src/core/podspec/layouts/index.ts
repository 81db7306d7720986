/** The layouts there are, by name. Argo's two cluster layouts are further rows. */

import type { LayoutName } from "../request.js";
import type { PodLayout } from "./layout.js";
import { localLayout } from "./local/layout.js";

export const layouts = { local: localLayout } as const satisfies Readonly<Record<LayoutName, PodLayout>>;
