import type { Frame, Page } from 'playwright-core';

/** Paths of this machine, with what a picture shows in their place; those that are part of others come after them. */
export type NeutralPaths = readonly (readonly [path: string, shown: string])[];

/**
 * Has a window show neutral paths in place of those of this machine while `work` runs, such as taking a picture that others
 * will see.
 * @throws When a path of this machine can be read all the same.
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

/** The path as a whole: `/root` is no part of `/roots`. */
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

/** What can be read in a document, in its fields too. */
function readableIn(frame: Frame): Promise<string> {
  return frame.evaluate(() => {
    const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
    return [document.documentElement.innerText, ...fields.map(({ value }) => value)].join('\n');
  });
}
