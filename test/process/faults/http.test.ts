import { describeFaults } from './describeFaults.ts';
import { startFaultyHttpServer } from './faultyHttpServer.ts';
import { watchFault } from './scene.ts';

describeFaults('http', async ({ id }, phase) => {
  const server = await startFaultyHttpServer(id, phase);
  try {
    return await watchFault({ type: 'http', url: server.url, patchbay: {} }, phase);
  } finally {
    server.close();
  }
});
