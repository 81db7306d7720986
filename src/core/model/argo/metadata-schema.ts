/** Schema of the labels and annotations that templates and workflows carry. */

import { object, stringMap } from "../codec/schema.js";
import type { Metadata } from "./template.js";

export const metadataSchema = object<Metadata>()({ labels: stringMap, annotations: stringMap });
