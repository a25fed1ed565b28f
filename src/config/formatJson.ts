const lineWidth = 100;

/**
 * Writes JSON as people do: members each on a line, a short list of plain values on one.
 * @param unit one step of indentation
 * @param indent the indentation of the line the value starts on
 */
export function formatJson(value: unknown, unit: string, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = indent + unit;
  const parts = Array.isArray(value)
    ? value.map((item: unknown) => formatJson(item, unit, inner))
    : Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([key, member]) => `${JSON.stringify(key)}: ${formatJson(member, unit, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return `${open}${close}`;
  const line = `${open}${parts.join(', ')}${close}`;
  const isPlain = Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
  if (isPlain && inner.length + line.length <= lineWidth) return line;
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}
