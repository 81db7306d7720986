/** What Kubernetes refuses of a pod's volumes. */

import { insideFaults, missingFaults, type Part, partOf, partsOf, type Range, rangeFaults } from "./faults.js";

const modes: Range = { min: 0, max: 0o777, text: "must be a number between 0 and 0777 (octal), both inclusive" };

/** The field by which a source says what it stands for. */
const names: Readonly<Record<string, string>> = {
  configMap: "name",
  secret: "secretName",
  hostPath: "path",
  persistentVolumeClaim: "claimName",
};

export function volumeFaults(volume: Part): readonly string[] {
  const [, ...others] = sourcesOf(volume);
  return [
    ...others.map(({ path }) => `${path}: Forbidden: may not specify more than 1 volume type`),
    ...sourcesOf(volume).flatMap(sourceFaults),
  ];
}

function sourcesOf(volume: Part): readonly Part[] {
  return Object.keys(volume.value)
    .sort()
    .flatMap((field) => partOf(volume, field) ?? []);
}

function sourceFaults(source: Part): readonly string[] {
  const name = names[source.path.slice(source.path.lastIndexOf(".") + 1)];
  return [
    ...(name === undefined ? [] : missingFaults(source, name)),
    ...rangeFaults(source, "defaultMode", modes),
    ...fileFaults(source),
    ...partsOf(source, "sources").flatMap((projected) => sourcesOf(projected).flatMap(fileFaults)),
  ];
}

function fileFaults(source: Part): readonly string[] {
  const items = partsOf(source, "items").flatMap((item) => [
    ...missingFaults(item, "path"),
    ...insideFaults(item, "path"),
    ...rangeFaults(item, "mode", modes),
  ]);
  // That of a token or a bundle of certificates.
  return source.path.includes(".sources[") ? [...items, ...insideFaults(source, "path")] : items;
}
