import { expect, it } from 'vitest';
import { FileStates, mostFiles } from '../../../../src/host/development/fileStates.ts';

/** Files by their paths, with what is read of them. */
function disk(files: Readonly<Record<string, string>>) {
  const content = new Map(Object.entries(files));
  const reads: string[] = [];
  const digest = async (path: string): Promise<string> => {
    reads.push(path);
    const found = content.get(path);
    if (found === undefined) throw new Error('There is no such file.');
    return found;
  };
  return { content, reads, states: new FileStates(digest, []) };
}

it('counts a file that it could not read at the start, or not as a whole, as changed', async () => {
  const { states, content } = disk({ large: '', late: '1' });
  expect(await states.compare(['late'])).toBe('late');
  await states.read(['large', 'late']);
  expect(await states.compare(['late'])).toBe('late');
  const other = disk({ large: '' });
  await other.states.read(['large']);
  expect(await other.states.hasNews(['large'])).toBe(true);
  expect(await other.states.compare(['large'])).toBe('large');
  expect(content.size).toBe(2);
});

it('reads so many files at most, and none for a process that has ended', async () => {
  const paths = Array.from({ length: mostFiles + 500 }, (_, index) => String(index));
  const many = disk(Object.fromEntries(paths.map((path) => [path, path])));
  await many.states.read(paths);
  expect(many.reads).toHaveLength(mostFiles);
  expect(await many.states.compare(['0'])).toBeUndefined();
  // It is not known whether this one was there.
  expect(await many.states.compare([String(mostFiles)])).toBe(String(mostFiles));
  const ended = disk({ a: '1' });
  ended.states.end();
  await ended.states.read(['a']);
  expect(ended.reads).toEqual([]);
});

it('has no news of a file that was compared as it is', async () => {
  const { states, content } = disk({ a: '1', b: '1' });
  await states.read(['a', 'b']);
  expect(await states.hasNews(['a', 'b'])).toBe(false);
  content.set('b', '2');
  expect(await states.hasNews(['a', 'b'])).toBe(true);
  expect(await states.compare(['a', 'b'])).toBe('b');
  expect(await states.hasNews(['a', 'b'])).toBe(false);
  content.set('b', '1');
  expect(await states.hasNews(['b'])).toBe(true);
  expect(await states.compare(['b'])).toBeUndefined();
});
