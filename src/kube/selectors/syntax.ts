/** What may stand as a label's key and value; the texts are the API server's own. */

const labelValue = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const labelName = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const labelLengthMax = 63;
const prefixLengthMax = 253;

const valueText =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
const nameText =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
  "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  "end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Why `value` cannot be a label's value; undefined when it can. */
export function labelValueFault(value: string): string | undefined {
  if (value.length > labelLengthMax) return `must be no more than ${labelLengthMax} bytes`;
  return labelValue.test(value) ? undefined : valueText;
}

/** Why `key` cannot be a label's (or annotation's) key, `[prefix/]name`; undefined when it can. */
export function labelKeyFault(key: string): string | undefined {
  const parts = key.split("/");
  const [first = "", second] = parts;
  if (parts.length > 2)
    return `a qualified name ${nameText} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;
  if (second === undefined) return nameFault(first);
  if (first === "") return "prefix part must be non-empty";
  if (first.length > prefixLengthMax) return `prefix part must be no more than ${prefixLengthMax} bytes`;
  if (!subdomain.test(first)) return `prefix part ${subdomainText}`;
  return nameFault(second);
}

function nameFault(name: string): string | undefined {
  if (name === "") return "name part must be non-empty";
  if (name.length > labelLengthMax) return `name part must be no more than ${labelLengthMax} bytes`;
  return labelName.test(name) ? undefined : `name part ${nameText}`;
}

/** The first fault of an object's labels, worded with its path; undefined when all are valid. */
export function labelsFault(labels: Readonly<Record<string, unknown>>, path = "metadata.labels"): string | undefined {
  for (const [key, value] of Object.entries(labels)) {
    const keyFault = labelKeyFault(key);
    if (keyFault !== undefined) return `${path}: Invalid value: ${JSON.stringify(key)}: ${keyFault}`;
    const valueFault = typeof value === "string" ? labelValueFault(value) : "must be a string";
    if (valueFault !== undefined) return `${path}: Invalid value: ${JSON.stringify(value)}: ${valueFault}`;
  }
  return undefined;
}
