/** The engine as the recording's controller was configured. */

import type { EngineOptions } from "../../../src/core/engine/index.js";
import { invalidSpecOrNeed } from "../../../src/core/validate/index.js";

const sampleImages = [
  "alpine",
  "alpine/git:v2.26.2",
  "alpine:3.23",
  "debian",
  "golang:1.18",
  "influxdb:1.2",
  "nginx:1.13",
  "remuslazar/gnuplot",
  "ubuntu",
];

/** `samples`: with the entrypoints that were configured for Argo's samples; `own`: every container names its command. */
export function engineOptionsOf(set: "samples" | "own", onDefect: (message: string) => void): EngineOptions {
  const images = new Map<string, { readonly entrypoint: readonly string[]; readonly cmd?: readonly string[] }>();
  if (set === "samples") {
    for (const image of sampleImages) images.set(image, { entrypoint: ["/image-entrypoint"], cmd: ["image-cmd"] });
    images.set("argoproj/argosay:v2", { entrypoint: ["/argosay"] });
  }
  return {
    pod: {
      layout: "local",
      images,
      statusFinalizer: true,
    },
    artifactRepository: {
      s3: {
        bucket: "my-bucket",
        endpoint: "minio:9000",
        insecure: true,
        accessKeySecret: { name: "my-minio-cred", key: "accesskey" },
        secretKeySecret: { name: "my-minio-cred", key: "secretkey" },
      },
    },
    validate: invalidSpecOrNeed,
    onDefect,
  };
}
