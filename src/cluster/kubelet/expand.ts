/** `$(NAME)` in env values, command and args, as Kubernetes expands it. */

/**
 * `$(NAME)` becomes its value, `$$` a dollar sign; what is not defined stays as it is written. A name goes as far as the
 * first closing parenthesis, whatever stands in it.
 */
export function expandVariables(text: string, lookUp: (name: string) => string | undefined): string {
  return text.replace(/\$(\$|\(([^)]*)\))/g, (whole, after: string, name: string | undefined) => {
    if (after === "$") return "$";
    return lookUp(name ?? "") ?? whole;
  });
}
