import type { ContentBlock } from '../../protocol/mcp/content.ts';
import { fileName } from '../resources/fileName.ts';
import { nameFromUri } from '../resources/resourceUri.ts';

/** A block of content as a file somebody may want to keep. */
export interface BlockFile {
  /** Fit for a file, whatever the server calls it. */
  readonly name: string;
  /** Decodes the content; what is not base64 in it is skipped. */
  bytes(): Uint8Array;
}

/** @returns `undefined` for what is no file: text, links, and content of unknown kinds */
export function fileOf(block: ContentBlock): BlockFile | undefined {
  switch (block.type) {
    case 'image':
    case 'audio':
      return { name: fileName(block.type, block.mimeType), bytes: () => Buffer.from(block.data, 'base64') };
    case 'resource': {
      const { uri, mimeType, text, blob = '' } = block.resource;
      return {
        name: fileName(nameFromUri(uri), mimeType),
        bytes: () => (text === undefined ? Buffer.from(blob, 'base64') : Buffer.from(text, 'utf8')),
      };
    }
    case 'text':
    case 'resource_link':
    case 'unknown':
      return undefined;
  }
}
