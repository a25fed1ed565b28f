/** Parts of the host that need no VS Code and that no headless program reaches: bundled to `dist/test/attackCore.mjs`. */
export { parseConfiguration } from '../../../src/config/parseConfiguration.ts';
export { toResultView } from '../../../src/host/results/resultDocument.ts';
export { toolFields } from '../../../src/host/tools/toolFields.ts';
export { toolResultToMarkdown } from '../../../src/host/tools/toolResult.ts';
export { parseUriTemplate } from '../../../src/protocol/uriTemplate.ts';
