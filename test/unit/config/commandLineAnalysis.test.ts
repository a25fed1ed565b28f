import { describe, expect, it } from 'vitest';
import { analyzeCommandLine } from '../../../src/config/commandLineAnalysis.ts';

const digest = 'a'.repeat(64);
const commit = 'b'.repeat(40);

describe('launchCode', () => {
  it.each<[readonly string[], string]>([
    [['npx', '-y', 'my-server', '/w'], 'npx my-server'],
    [['npx', '-y', '@me/my-server@1.2.3'], 'npx @me/my-server'],
    [['C:\\Program Files\\nodejs\\npx.cmd', '-y', 'x@latest'], 'npx x'],
    [['cmd', '/c', 'npx', '-y', 'x'], 'npx x'],
    [['env', 'A=1', 'npx', 'x'], 'npx x'],
    [['npx', '-p', 'pkg@1.0.0', 'tool'], 'npx pkg'],
    [['uvx', '--from', 'git+https://a.example/b', 'tool'], 'uvx git+https://a.example/b tool'],
    [['docker', 'run', '-i', '--rm', '-e', 'TOKEN', '-v', '/a:/b', 'me/image:1', 'serve'], 'docker run me/image'],
    [['node', 'server.js', '--port', '80'], 'node server.js'],
    [['node', '--import', './hook.mjs', 'server.js'], 'node server.js'],
    [['python3', '-m', 'server', 'x'], 'python3 -m server'],
    [['deno', 'run', '-A', 'npm:x@1.0.0'], 'deno npm:x@1.0.0'],
    [['npm', '--prefix', 'server', 'start'], 'npm start'],
    [['npm', 'run', 'mcp'], 'npm run mcp'],
    [['./run', '--fast'], './run'],
    [['bash', '-c', 'npx good-server'], 'bash -c npx good-server'],
    [['cmd', '/c', 'npx', 'good', '&', 'calc'], 'cmd /c npx good & calc'],
  ])('%j runs %s', (line, expected) => {
    expect(analyzeCommandLine(line).name).toBe(expected);
  });

  it.each<[readonly string[], string, boolean]>([
    [['npx', '-y', 'x'], 'x', false],
    [['npx', 'x@latest'], 'x@latest', false],
    [['npx', 'x@^1.2.3'], 'x@^1.2.3', false],
    [['npx', 'x@1'], 'x@1', false],
    [['npx', 'x@1.2.3'], 'x@1.2.3', true],
    [['npx', '@me/x@1.2.3-beta.1'], '@me/x@1.2.3-beta.1', true],
    [['npx', 'github:me/x'], 'github:me/x', false],
    [['npx', `github:me/x#${commit}`], `github:me/x#${commit}`, true],
    [['npx', 'https://a.example/x.tgz'], 'https://a.example/x.tgz', false],
    [['npm', 'exec', '--', 'x@1.2.3'], 'x@1.2.3', true],
    [['pnpm', 'dlx', 'x'], 'x', false],
    [['bunx', 'x@1.0.0'], 'x@1.0.0', true],
    [['uvx', 'x'], 'x', false],
    [['uvx', 'x==1.2'], 'x==1.2', true],
    [['uvx', 'x@1.2.0'], 'x@1.2.0', true],
    [['uvx', 'x[cli]==1.2.0rc1'], 'x[cli]==1.2.0rc1', true],
    [['uvx', 'x==1.*'], 'x==1.*', false],
    [['uvx', 'x>=1.2'], 'x>=1.2', false],
    [['uv', 'tool', 'run', '--python', '3.12', 'x'], 'x', false],
    [['uvx', '--from', `git+https://a.example/b@${commit}`, 't'], `git+https://a.example/b@${commit}`, true],
    [['pipx', 'run', 'x==1.0'], 'x==1.0', true],
    [['docker', 'run', '-it', 'me/x:1.2.3'], 'me/x:1.2.3', false],
    [['docker', 'run', '--name', 'n', `me/x@sha256:${digest}`], `me/x@sha256:${digest}`, true],
    [['podman', 'run', '--rm', 'x'], 'x', false],
    [['go', 'run', 'a.example/b@latest'], 'a.example/b@latest', false],
    [['go', 'run', 'a.example/b@v1.2.3'], 'a.example/b@v1.2.3', true],
    [['dnx', 'x@1.0.0'], 'x@1.0.0', true],
    [['deno', 'run', 'https://a.example/x.ts'], 'https://a.example/x.ts', false],
    [['deno', 'run', 'jsr:@me/x@1.0.0'], 'jsr:@me/x@1.0.0', true],
  ])('%j fetches %s, pinned: %s', (line, written, isPinned) => {
    expect(analyzeCommandLine(line).packages[0]).toMatchObject({ written, isPinned });
  });
});
