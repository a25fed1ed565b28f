import { fileURLToPath } from 'node:url';
import { describeFaults } from './describeFaults.ts';
import { watchFault } from './scene.ts';

const script = fileURLToPath(new URL('../../fixtures/servers/faultyServer.mjs', import.meta.url));

describeFaults('stdio', ({ id }, phase) =>
  watchFault({ command: process.execPath, args: [script, `--fault=${id}`, `--phase=${phase}`] }, phase),
);
