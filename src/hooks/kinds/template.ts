export function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Fills every `${path}`; what the look-up does not know becomes nothing. */
export function fillTemplate(template: string, lookUp: (path: string) => unknown, encode = asText): string {
  return template.replaceAll(/\$\{([A-Za-z_][\w.-]*)\}/g, (_, path: string) => encode(lookUp(path)));
}

/** Fills the strings of a value of any shape. A string that is one placeholder takes the value as it is. */
export function fillValue(value: unknown, lookUp: (path: string) => unknown): unknown {
  if (typeof value === 'string') {
    const whole = /^\$\{([A-Za-z_][\w.-]*)\}$/.exec(value)?.[1];
    return whole === undefined ? fillTemplate(value, lookUp) : (lookUp(whole) ?? '');
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, lookUp));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillValue(item, lookUp)]));
}

/** For text that goes between the quotes of a JSON string. */
export function insideJsonString(value: unknown): string {
  return JSON.stringify(asText(value)).slice(1, -1);
}
