#!/usr/bin/env node
// @ts-check
// Installs what windows of the tests need, unless it is there: VS Code's newest and oldest version, and Chromium.
import { ensureChromium } from './vscodeHost/chromium.mjs';
import { installServer } from './vscodeHost/installServer.mjs';
import { newestVersion, oldestVersion } from './vscodeHost/versions.mjs';

/** @param {string} message */
const report = (message) => console.log(`[editors] ${message}`);

if (process.platform === 'win32') {
  report('On Windows tests run in VS Code desktop alone, which they download themselves.');
} else {
  await Promise.all([ensureChromium(report), installServer(newestVersion, report)]);
  await installServer(oldestVersion, report);
}
