/** Recordings that ours does not match, each with its reason: an error of Argo's own, or something open here. */

export const knownDifferences: Readonly<Record<string, string>> = {};
