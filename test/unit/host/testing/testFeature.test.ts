import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { installTestSuite } from '../../../../src/host/testing/testFeature.ts';
import { temporaryFolder } from '../../../fixtures/temporaryFolder.ts';
import { editor, Uri } from '../../../fixtures/vscode.ts';

it.runIf(process.platform !== 'win32')(
  'the official suite is offered only where a Node.js is that runs it',
  async () => {
    const folder = await temporaryFolder();
    const options = {
      context: { globalStorageUri: Uri.file(join(folder, 'storage')) },
      environment: async () => ({ PATH: `${folder}:/bin` }),
      lock: {},
    } as unknown as Parameters<typeof installTestSuite>[0];
    const node = join(folder, 'node');
    const use = async (version: string): Promise<void> => {
      await writeFile(node, `#!/bin/sh\necho ${version}\n`);
      await chmod(node, 0o755);
    };
    await use('v20.1.0');
    await expect(installTestSuite(options)).rejects.toThrow(`needs Node.js 22; ${node} is v20.1.0. Install`);
    expect(editor.questions).toEqual([]);
    await use('v22.0.0');
    editor.answer = 'Not Now';
    await installTestSuite(options);
    expect(editor.questions).toMatchObject([{ detail: expect.stringContaining(`${node} runs it`) }]);
  },
);
