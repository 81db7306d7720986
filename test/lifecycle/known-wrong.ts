/** Cases that do not end right yet, and why. The list shrinks, it does not grow. */

export const knownWrong: Readonly<Record<string, string>> = {
  "daemon-terminate":
    "the engine fails a daemon that is up when the workflow is terminated, and blames it; Argo: Succeeded, without a message",
  "deadline-tmpl-pending":
    "the engine does not fail a pod that no machine takes when its template's activeDeadlineSeconds have passed",
};
