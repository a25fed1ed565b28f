import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  configurationFiles,
  documentSelector,
  watchedPattern,
} from '../../../../src/host/configuration/configurationFiles.ts';
import { saveTargets } from '../../../../src/host/configuration/saveServers.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { editor } from '../../../fixtures/vscode.ts';

const paths = ['.vscode/mcp.json', '.mcp.json', '.cursor/mcp.json', '.github/mcp.json'];

it('reads four files of a folder, in their order of precedence, and follows each in every way', () => {
  expect(configurationFiles().map(({ source }) => source.title)).toEqual(paths);
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: { readonly jsonValidation: readonly JsonObject[] };
  };
  const [selector] = documentSelector;
  for (const path of paths) {
    expect(watchedPattern.slice(1, -1).split(',')).toContain(path);
    expect(selector?.pattern.slice('**/{'.length, -1).split(',')).toContain(path);
    // VS Code has its own schema for its own file.
    if (!path.startsWith('.vscode'))
      expect(manifest.contributes.jsonValidation[0]?.['fileMatch']).toContain(`/${path}`);
  }
});

it("offers to save to VS Code's own file, to those that are there already, and to the settings", async () => {
  const titles = async (): Promise<string[]> =>
    (await saveTargets()).map((target) => (target === 'user' ? 'settings' : target.source.title));
  expect(await titles()).toEqual(['.vscode/mcp.json', 'settings']);
  editor.files.set('/w/.github/mcp.json', {});
  expect(await titles()).toEqual(['.vscode/mcp.json', '.github/mcp.json', 'settings']);
});
