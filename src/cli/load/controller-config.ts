/** The ConfigMap `workflow-controller-configmap`, where one was given: its data, and the images it knows. */

import { readDocuments } from "../../core/model/index.js";
import type { ConfigMap } from "../../core/model/kube/core.js";
import type { KubeObject } from "../../core/model/kube/meta.js";
import { isJsonObject, type Json } from "../../core/std/json.js";
import type { ImageEntry } from "../ports.js";
import { imageEntries } from "./images.js";

export const controllerConfigName = "workflow-controller-configmap";

export interface ControllerConfig {
  readonly data: Readonly<Record<string, string>>;
  readonly images: Readonly<Record<string, ImageEntry>>;
}

export function controllerConfig(objects: readonly KubeObject[]): ControllerConfig {
  const found = objects.find(
    (object): object is ConfigMap => object.kind === "ConfigMap" && object.metadata.name === controllerConfigName,
  );
  const data = found?.data ?? {};
  const whole = parse(data["config"]);
  const images = parse(data["images"]) ?? (isJsonObject(whole) ? whole["images"] : undefined);
  return { data, images: images === undefined ? {} : imageEntries(images, `${controllerConfigName}: images`) };
}

function parse(text: string | undefined): Json | undefined {
  return text === undefined ? undefined : readDocuments(text, controllerConfigName).documents[0]?.value;
}
