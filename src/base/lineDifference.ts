/** Lines of a text that stand together. */
export interface LinePart {
  readonly text: string;
  /** The other text does not have them. */
  readonly isChanged: boolean;
}

/** Lines between the equal ones at both ends that are compared one by one; more of them count as changed as a whole. */
const mostLines = 400;
/** Equal lines that are shown beside changed ones. */
const nearby = 3;

/** The lines in which two texts differ, each text in parts. Of many equal lines, those in the middle are left out, with their number. */
export function differingLines(
  before: string,
  after: string,
): Readonly<Record<'before' | 'after', readonly LinePart[]>> {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const common = commonLines(old.slice(head, old.length - tail), now.slice(head, now.length - tail));
  const isCommon = (lines: readonly string[], kept: ReadonlySet<number>) => (index: number) =>
    index < head || index >= lines.length - tail || kept.has(index - head);
  return {
    before: partsOf(old, isCommon(old, common.before)),
    after: partsOf(now, isCommon(now, common.after)),
  };
}

/** The longest common subsequence, as the indexes of its lines in both. */
function commonLines(old: readonly string[], now: readonly string[]) {
  const kept = { before: new Set<number>(), after: new Set<number>() };
  if (old.length > mostLines || now.length > mostLines) return kept;
  const width = now.length + 1;
  // The length of what the rests of both have in common.
  const lengths = new Uint16Array((old.length + 1) * width);
  const lengthAt = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        old[row] === now[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
  for (let row = 0, column = 0; row < old.length && column < now.length;) {
    if (old[row] === now[column]) {
      kept.before.add(row);
      kept.after.add(column);
      row += 1;
      column += 1;
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) row += 1;
    else column += 1;
  }
  return kept;
}

function partsOf(lines: readonly string[], isSame: (index: number) => boolean): readonly LinePart[] {
  const parts: { readonly lines: string[]; readonly isChanged: boolean }[] = [];
  for (const [index, line] of lines.entries()) {
    const isChanged = !isSame(index);
    const last = parts.at(-1);
    if (last?.isChanged === isChanged) last.lines.push(line);
    else parts.push({ lines: [line], isChanged });
  }
  return parts.map((part) => ({
    text: (part.isChanged ? part.lines : folded(part.lines)).join('\n'),
    isChanged: part.isChanged,
  }));
}

function folded(lines: readonly string[]): readonly string[] {
  const left = lines.length - 2 * nearby;
  if (left < 2) return lines;
  return [...lines.slice(0, nearby), `… ${left} equal lines`, ...lines.slice(-nearby)];
}
