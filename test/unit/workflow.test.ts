import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../package.json' with { type: 'json' };

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes'?: number;
  readonly needs?: string;
  readonly strategy?: { readonly matrix: { readonly os: readonly string[] } };
  readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
}

const workflow = parse(readFileSync('.github/workflows/test.yml', 'utf8')) as {
  readonly jobs: Readonly<Record<string, Job>>;
  readonly permissions: unknown;
};

describe('the workflow', () => {
  it('runs only scripts that there are, each with an end, and may only read', () => {
    const lines = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const scripts = lines.flatMap((line) => /npm (?:run )?([\w:]+)$/.exec(line)?.[1] ?? []);
    const known = [...Object.keys(packageJson.scripts), 'ci'];
    expect(scripts.filter((script) => !known.includes(script))).toEqual([]);
    expect(scripts).toEqual(expect.arrayContaining(['test', 'test:unit', 'test:process', 'test:host', 'test:windows']));
    expect(Object.values(workflow.jobs).filter((job) => job['timeout-minutes'] === undefined)).toEqual([]);
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it('has VS Code on each system, and jobs that it waits for', () => {
    const systems = workflow.jobs['systems']?.strategy?.matrix.os.map((os) => os.replace(/-.*$/, ''));
    expect(new Set(systems)).toEqual(new Set(['windows', 'macos', 'ubuntu']));
    for (const { needs } of Object.values(workflow.jobs))
      if (needs !== undefined) expect(workflow.jobs).toHaveProperty(needs);
  });
});
