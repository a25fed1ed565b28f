/** Parts of the host that need no VS Code and that no headless program reaches: bundled to `dist/test/attackCore.mjs`. */
export { createSecretFinder } from '../../../src/client/sampling/secretMarks.ts';
export { parseConfiguration } from '../../../src/config/parseConfiguration.ts';
export { toResultView } from '../../../src/host/results/resultDocument.ts';
export { FormEngine } from '../../../src/forms/formEngine.ts';
export { toolResultToMarkdown } from '../../../src/host/results/contentMarkdown.ts';
export { parseUriTemplate } from '../../../src/protocol/uriTemplate.ts';

/** The patterns of keys. */
export const loadKeyRules = () => import('@secretlint/secretlint-rule-preset-recommend');
