/** The name of the image that tests make from local files. */

export const IMAGE = "docker.io/library/busybox:latest";
