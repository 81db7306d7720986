/** Rules for where an artifact lies (Argo 4.1 behaviour 10.5, git and hdfs). */

import type { ArtifactLocation, HDFSArtifact } from "../model/argo/artifact.js";
import { fieldPath } from "../model/path.js";
import type { Spot } from "./report.js";

/** `argo`: what Argo puts before `.git.repo is required`. */
export function checkLocation(location: ArtifactLocation, path: string, argo: string, spot: Spot): void {
  if (location.git !== undefined && location.git.repo === "") {
    const at = fieldPath(fieldPath(path, "git"), "repo");
    spot.tell({
      code: "missing-field",
      path: at,
      message: "git.repo is missing",
      argo: `${argo}.git.repo is required`,
    });
  }
  if (location.hdfs === undefined || spot.unread.within(fieldPath(path, "hdfs"))) return;
  const fault = hdfsFault(location.hdfs, `${argo}.hdfs`);
  if (fault === undefined) return;
  spot.tell({ code: "invalid", path: fieldPath(path, "hdfs"), message: fault.message, argo: fault.argo });
}

interface HdfsFault {
  readonly message: string;
  readonly argo: string;
}

function hdfsFault(hdfs: HDFSArtifact, p: string): HdfsFault | undefined {
  const required = (field: string): HdfsFault => ({
    message: `${field} is missing`,
    argo: `${p}.${field} is required`,
  });
  if ((hdfs.addresses?.length ?? 0) === 0) return required("addresses");
  if ((hdfs.path ?? "") === "") return required("path");
  if (hdfs.path?.startsWith("/") === false) {
    return { message: "path must begin with /", argo: `${p}.path must be a absolute file path` };
  }
  return loginFault(hdfs, p);
}

function loginFault(hdfs: HDFSArtifact, p: string): HdfsFault | undefined {
  const principal = hdfs.krbServicePrincipalName ?? "";
  const isComplete = principal !== "" && hdfs.krbConfigConfigMap !== undefined;
  if (hdfs.krbKeytabSecret !== undefined) {
    if (isComplete && (hdfs.krbUsername ?? "") !== "" && (hdfs.krbRealm ?? "") !== "") return undefined;
    const argo = `${p}.krbServicePrincipalName, ${p}.krbConfigConfigMap, ${p}.krbUsername and ${p}.krbRealm are required with ${p}.krbKeytabSecret`;
    return { message: "a keytab needs krbServicePrincipalName, krbConfigConfigMap, krbUsername and krbRealm", argo };
  }
  if (hdfs.krbCCacheSecret !== undefined) {
    if (isComplete) return undefined;
    const argo = `${p}.krbServicePrincipalName and ${p}.krbConfigConfigMap are required with ${p}.krbCCacheSecret`;
    return { message: "a credential cache needs krbServicePrincipalName and krbConfigConfigMap", argo };
  }
  if ((hdfs.hdfsUser ?? "") !== "") return undefined;
  const argo = `either ${p}.hdfsUser, ${p}.krbCCacheSecret or ${p}.krbKeytabSecret is required`;
  return { message: "it names no user: add hdfsUser, krbCCacheSecret or krbKeytabSecret", argo };
}
