/** Stands for what was left out of a message. */
function leftOut(depth: number): string {
  return `… (left out: nested deeper than ${depth} levels)`;
}

/**
 * Replaces objects and lists that lie deeper than `depth` levels by a text that says so, in the value itself: what walks it
 * later may do so by recursion. Works without recursion, whatever the depth.
 * @param value fresh from `JSON.parse`
 */
export function cutDeepJson(value: unknown, depth: number): void {
  let level: object[] = isContainer(value) ? [value] : [];
  for (let at = 1; at < depth && level.length > 0; at += 1) level = level.flatMap(containersIn);
  for (const container of level) {
    const members = container as Record<string, unknown>;
    for (const name of Object.keys(members)) if (isContainer(members[name])) members[name] = leftOut(depth);
  }
}

function containersIn(container: object): object[] {
  return Object.values(container).filter(isContainer);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
