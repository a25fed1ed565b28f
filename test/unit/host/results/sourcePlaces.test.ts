import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Uri, window, workspace } from 'vscode';
import { openPlace, shownPlaces } from '../../../../src/host/results/sourcePlaces.ts';
import { editor } from '../../../fixtures/vscode.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';

let folder = '';
let outside = '';

beforeEach(async () => {
  const root = await temporaryFolder();
  [folder, outside] = [join(root, 'work'), join(root, 'other')];
  for (const each of [folder, outside]) {
    await mkdir(each);
    await writeFile(join(each, 'server.js'), 'one\ntwo\nthree\n');
  }
  await symlink(folder, join(root, 'link'));
  await symlink(join(outside, 'server.js'), join(folder, 'away.js'));
  editor.folders = [{ uri: Uri.file(join(root, 'link')), name: 'work' }];
});

describe('places that are links', () => {
  it('are files of the workspace, by their real paths', () => {
    const at = (path: string): string => `at f (${path}:2:1)`;
    const inside = join(folder, 'server.js');
    const lines = [
      at(join(outside, 'server.js')),
      at(inside),
      at(pathToFileURL(inside).href),
      at(join(folder, 'away.js')),
      at(join(folder, '..', 'other', 'server.js')),
      at(join(folder, 'gone.js')),
      at(folder),
      at(`//host/share/server.js`),
      at('file://host/share/server.js'),
      `File "server.js", line 1`,
      `File "${inside}", line 3`,
    ];
    const found = shownPlaces(lines.join('\n')).map(({ text }) => text);
    expect(found).toEqual([`File "${inside}", line 3`, `${inside}:2:1`, `${pathToFileURL(inside).href}:2:1`]);
  });

  it('open at their line, and not where they lead elsewhere by now', async () => {
    const document = { getText: () => 'one\ntwo\nthree\n', positionAt: (offset: number) => offset };
    const opened = vi.spyOn(workspace, 'openTextDocument').mockResolvedValue(document as never);
    const shown = vi.spyOn(window, 'showTextDocument').mockResolvedValue({} as never);
    const said = vi.spyOn(window, 'showInformationMessage').mockResolvedValue(undefined);
    const text = `at f (${join(folder, 'server.js')}:2:3)\nat g (${join(folder, 'away.js')}:1:1)`;
    await openPlace(text, 0);
    expect(opened.mock.calls[0]?.[0]).toMatchObject({ fsPath: join(folder, 'server.js') });
    expect(shown.mock.calls[0]?.[1]).toMatchObject({ selection: { start: 6, end: 6 } });
    for (const index of [1, 2, -1]) await openPlace(text, index);
    expect(opened).toHaveBeenCalledTimes(1);
    expect(said).toHaveBeenCalledTimes(3);
  });
});
