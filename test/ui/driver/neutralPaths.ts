import type { Frame, Page } from 'playwright-core';

/** Paths of this machine, each with its replacement in pictures. A path comes before the paths that it contains as text. */
export type NeutralPaths = readonly (readonly [path: string, shown: string])[];

/**
 * Replaces paths of this machine in a window by neutral ones while `work` runs, for example while it takes a picture for
 * others.
 * @throws when a path of this machine is still visible
 */
export async function withNeutralPaths<T>(page: Page, paths: NeutralPaths, work: () => Promise<T>): Promise<T> {
  const restored = await Promise.all(page.frames().map((frame) => replaceIn(frame, paths)));
  try {
    const left = (await Promise.all(page.frames().map((frame) => readableIn(frame)))).join('\n');
    const [shown] = paths.filter(([path]) => patternOf(path).test(left));
    if (shown !== undefined) throw new Error(`A picture would show the path ${shown[0]}.`);
    return await work();
  } finally {
    await Promise.all(restored.map((restore) => restore()));
  }
}

/** Matches the whole path only: `/root` does not match in `/roots`. */
function patternOf(path: string): RegExp {
  return new RegExp(`(?<![\\w.-])${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'g');
}

async function replaceIn(frame: Frame, paths: NeutralPaths): Promise<() => Promise<void>> {
  const patterns = paths.map(([path, shown]) => [patternOf(path).source, shown] as const);
  const changed = await frame.evaluateHandle((replacements) => {
    const nodes: [Text, string][] = [];
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node as Text;
      const replaced = replacements.reduce(
        (data, [path, shown]) => data.replace(new RegExp(path, 'g'), shown),
        text.data,
      );
      if (replaced === text.data) continue;
      nodes.push([text, text.data]);
      text.data = replaced;
    }
    return nodes;
  }, patterns);
  return () => changed.evaluate((nodes) => nodes.forEach(([text, data]) => (text.data = data)));
}

/** The visible text of a document, with the values of its fields. */
function readableIn(frame: Frame): Promise<string> {
  return frame.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
    return [document.documentElement.innerText, ...fields.map(({ value }) => value)].join('\n');
  });
}
