/** The family `sprig`: Masterminds sprig without what reads the environment, the network or makes keys. */

import { type ExprKey, type ExprMap, type ExprValue, ValueFault } from "../values/value.js";
import { caseRows } from "./cases.js";
import { dateRows } from "./dates.js";
import { defineVariadic, type SprigRow } from "./define.js";
import { dictRows } from "./dicts.js";
import { encodingRows } from "./encoding.js";
import { listRows } from "./lists.js";
import { logicRows } from "./logic.js";
import { mathRows } from "./math.js";
import { randomRows } from "./random.js";
import { regexRows } from "./regexes.js";
import { semverRows } from "./semver.js";
import { stringRows } from "./strings.js";
import { urlRows } from "./urls.js";

/** Known to sprig, refused here: they make secrets, or ask the network. */
const REFUSED = [
  "bcrypt",
  "htpasswd",
  "derivePassword",
  "genPrivateKey",
  "buildCustomCert",
  "genCA",
  "genCAWithKey",
  "genSelfSignedCert",
  "genSelfSignedCertWithKey",
  "genSignedCert",
  "genSignedCertWithKey",
  "encryptAES",
  "decryptAES",
  "getHostByName",
] as const;

function refused(name: string): SprigRow {
  return defineVariadic(name, [[], "any"], () => {
    throw new ValueFault(`sprig.${name} is not available here: it makes secrets or asks the network`);
  });
}

const rows: readonly SprigRow[] = [
  ...stringRows,
  ...caseRows,
  ...mathRows,
  ...listRows,
  ...dictRows,
  ...logicRows,
  ...dateRows,
  ...encodingRows,
  ...regexRows,
  ...semverRows,
  ...urlRows,
  ...randomRows,
  ...REFUSED.map(refused),
];

/** All functions by name. */
export const sprigFunctions: ExprMap = new Map<ExprKey, ExprValue>(rows);
