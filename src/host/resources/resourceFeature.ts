import type { ReadResourceResult } from '../../protocol/mcp/resources.ts';
import { readyServer } from '../input/readyServer.ts';
import type { ResourcesOptions } from './registerResources.ts';
import { ResourceFiles } from './resourceFiles.ts';
import { createResourceOpener, type ResourceOpener } from './resourceOpener.ts';
import { createResourceStore } from './resourceStore.ts';

/** What it takes to open a resource, loaded when one is first opened. */
export interface ResourceFeature {
  readonly files: ResourceFiles;
  readonly opener: ResourceOpener;
}

export function createResourceFeature(options: ResourcesOptions): ResourceFeature {
  const { registry, clock } = options;
  const store = createResourceStore({ clock, read });

  async function read(label: string, uri: string, signal: AbortSignal | undefined): Promise<ReadResourceResult> {
    const server = await readyServer(registry, label, 'resources', signal);
    return server.readResource(uri, signal && { signal });
  }

  return { files: new ResourceFiles({ ...options, store }), opener: createResourceOpener({ ...options, store }) };
}
