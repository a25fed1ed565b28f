import type { ContentBlock } from '../../protocol/mcp/content.ts';
import { playChime } from '../chime.ts';
import { drawLogo } from '../logo.ts';
import type { Session } from '../session.ts';
import { type DemoTool, textBlock } from './tool.ts';

/** Answers with each kind of content the negotiated revision knows. */
export function createShowEverythingTool(session: Session): DemoTool {
  return {
    definition: {
      name: 'show_everything',
      title: 'Show Everything',
      description: 'Answers with every kind of content: text, image, audio, a link to a resource, and embedded ones.',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run() {
      const content: ContentBlock[] = [
        textBlock('**Every kind of content** follows: an image, a sound, a link and two embedded resources.'),
        {
          type: 'image',
          data: drawLogo(96),
          mimeType: 'image/png',
          annotations: { audience: ['user'], priority: 0.9 },
        },
      ];
      if (session.isAtLeast('2025-03-26')) content.push({ type: 'audio', data: playChime(), mimeType: 'audio/wav' });
      if (session.isAtLeast('2025-06-18')) content.push(linkToReadme());
      return { content: [...content, embeddedText(), embeddedBlob()] };
    },
  };
}

function linkToReadme(): ContentBlock {
  return {
    type: 'resource_link',
    uri: 'demo://readme',
    name: 'readme',
    title: 'Read Me',
    description: 'What this server offers.',
    mimeType: 'text/markdown',
  };
}

function embeddedText(): ContentBlock {
  const text = '{\n  "greeting": "Hello from an embedded resource"\n}\n';
  return { type: 'resource', resource: { uri: 'demo://embedded/data.json', mimeType: 'application/json', text } };
}

function embeddedBlob(): ContentBlock {
  return { type: 'resource', resource: { uri: 'demo://embedded/logo.png', mimeType: 'image/png', blob: drawLogo(48) } };
}
