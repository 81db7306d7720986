/** Property tests draw the same examples each time, so that a change is judged by what it changes. */

import fc from "fast-check";

/** Another one looks elsewhere: `PROPERTY_SEED=7 npm run unit`. */
const seed = Number(process.env["PROPERTY_SEED"] ?? 1);

fc.configureGlobal({ seed });
