/** How a container ended whose end nobody recorded. */

export const lostExit = {
  exitCode: 137,
  reason: "ContainerStatusUnknown",
  message: "lost with the process that ran it",
} as const;
