import type { ContentBlock } from '../../protocol/mcp/content.ts';
import { fileName, nameFromUri } from '../platform/fileName.ts';

export interface BlockFile {
  /** Safe as a file name, even if the server's own name is not. */
  readonly name: string;
  /** An editor can show it: text, and what VS Code draws itself. PDF is included, as there are extensions for it. */
  readonly canOpen: boolean;
  /** Decodes the content; what is not base64 in it is skipped. */
  readonly bytes: () => Uint8Array;
}

/** Media types that VS Code shows without an extension, by the endings of its own editors. */
const shown = new Set('avif bmp gif ico jpeg jpg png svg webp mp3 oga ogg wav mp4 webm pdf'.split(' '));

/** @returns `undefined` for what is no file: text, links, and content of unknown kinds */
export function toBlockFile(block: ContentBlock): BlockFile | undefined {
  switch (block.type) {
    case 'image':
    case 'audio': {
      const name = fileName(block.type, block.mimeType);
      return { name, canOpen: isShown(name), bytes: () => Buffer.from(block.data, 'base64') };
    }
    case 'resource': {
      const { uri, mimeType, text, blob = '' } = block.resource;
      const name = fileName(nameFromUri(uri), mimeType);
      // The contents of a text are never run: an editor shows them as text, whatever the name ends with.
      if (text !== undefined) return { name, canOpen: true, bytes: () => Buffer.from(text, 'utf8') };
      return { name, canOpen: isShown(name), bytes: () => Buffer.from(blob, 'base64') };
    }
    case 'text':
    case 'resource_link':
    case 'unknown':
      return undefined;
  }
}

function isShown(name: string): boolean {
  return shown.has(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}
