import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { jsonReport } from '../../../src/cli/reports/jsonReport.ts';
import { junitReport } from '../../../src/cli/reports/junitReport.ts';
import type { Report } from '../../../src/cli/reports/report.ts';
import { sarifReport } from '../../../src/cli/reports/sarifReport.ts';
import { textReport } from '../../../src/cli/reports/textReport.ts';
import type { CheckResult } from '../../../src/workshop/checks/checkResult.ts';
import { summarise } from '../../../src/workshop/checks/summarise.ts';

const source = { title: 'MCP', url: 'https://modelcontextprotocol.io/x' };

function result(id: string, verdict: CheckResult['verdict'], more: Partial<CheckResult> = {}): CheckResult {
  return { id, title: `Title of ${id}`, verdict, subject: { kind: 'server' }, references: [source], ...more };
}

const hostile = 'bad \u001b[31mname\u001b]0;x\u0007 <b attr="1">&\u202e ]]> \u0000\ud800';

function reportOf(results: readonly CheckResult[], more: Partial<Report> = {}): Report {
  const suites = [{ name: 'notes', results, place: { path: '/project/.mcp.json', line: 3 } }];
  return { suites, version: '1.2.3', folder: '/project', isStrict: false, ...more };
}

const mixed = [
  result('own/ping', 'passed', { durationMs: 12 }),
  result('lint/name', 'warning', { subject: { kind: 'tool', name: hostile }, message: 'The name is long.' }),
  result('own/ids', 'failed', { message: 'First line.\nSecond line.' }),
  result('lint/style', 'note', { message: 'Found at 1 tool.' }),
  result('own/lists', 'nothingToCheck', { message: 'It has no lists.' }),
  result('suite/a', 'notRun', { message: 'The suite is missing.' }),
  result('suite/b', 'notRun', { message: 'The suite is missing.' }),
];

describe('a summary', () => {
  it('counts by verdict, the most important first', () => {
    const { text, hasFailed, counts } = summarise(mixed);
    expect(text).toBe('1 failed, 1 warning, 1 note, 2 not run, 1 nothing to check, 1 passed');
    expect([hasFailed, counts.notRun]).toEqual([true, 2]);
    expect(summarise([]).text).toBe('no checks');
  });

  it('has failed with warnings only where they count', () => {
    const warnings = mixed.filter(({ verdict }) => verdict !== 'failed');
    expect([summarise(warnings).hasFailed, summarise(warnings, true).hasFailed]).toEqual([false, true]);
  });
});

describe('a report as text', () => {
  it('says what failed and why, and has one line for all that did not run for one reason', () => {
    const text = textReport(reportOf(mixed), false).join('\n');
    expect(text).toMatch(/^notes: 1 failed, 1 warning,/);
    expect(text).toContain(
      '  failed: Title of own/ids [own/ids]\n      First line.\n      Second line.\n      MCP: https:',
    );
    expect(text).toContain('  not run: 2 checks\n      The suite is missing.');
    const ping = 'own/ping';
    expect(text).not.toContain(ping);
    expect(textReport(reportOf(mixed), true).join('\n')).toContain(`  passed: Title of ${ping} [${ping}]`);
  });
});

describe('a report as text about many findings of one rule', () => {
  it('has three in full, and the names of the others', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const found = names.map((name) =>
      result('lint/x', 'warning', { subject: { kind: 'tool', name }, message: 'Long.' }),
    );
    const text = textReport(reportOf(found), false).join('\n');
    expect(text.match(/Long\./g)).toHaveLength(3);
    expect(text).toContain('  warning: the same for 2 more [lint/x]\n      d, e');
    expect(
      textReport(reportOf(found), true)
        .join('\n')
        .match(/Long\./g),
    ).toHaveLength(5);
  });
});

describe('a report as JSON', () => {
  it('is a line for each result, with the texts as they are, and a summary', () => {
    const lines = jsonReport(reportOf(mixed)).map((line): unknown => JSON.parse(line));
    expect(lines).toHaveLength(8);
    expect(lines[1]).toMatchObject({ type: 'result', server: 'notes', id: 'lint/name', subject: { name: hostile } });
    expect(lines[7]).toMatchObject({ type: 'summary', version: '1.2.3', counts: { failed: 1 }, hasFailed: true });
  });
});

describe('a report as JUnit XML', () => {
  const xml = junitReport(reportOf(mixed)).join('\n');

  it('has a case for each result, with failures and reasons', () => {
    expect(xml).toContain('<testsuites name="patchbay" tests="7" failures="1" errors="0" skipped="3" time="0.012">');
    expect(xml).toContain('<failure type="failed" message="First line.">First line.&#10;Second line.&#10;MCP: https:');
    expect(xml).toContain('<skipped message="not run: The suite is missing."/>');
    expect(xml).toContain('<system-out>warning: The name is long.');
    expect([...xml.matchAll(/<testcase /g)]).toHaveLength(7);
  });

  it('counts warnings as failures where they are', () => {
    const strict = junitReport(reportOf(mixed, { isStrict: true })).join('\n');
    expect(strict).toContain('failures="2"');
    expect(strict).toContain('<failure type="warning" message="The name is long.">');
  });

  it('holds no character that XML does not allow, and none of a name as markup', () => {
    expect(xml).toContain('⟨U+001B⟩[31mname⟨U+001B⟩');
    expect(xml).toContain('&lt;b attr=&quot;1&quot;&gt;&amp;');
    expect(xml).toContain(' ]]&gt; ⟨U+0000⟩⟨U+D800⟩');
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|[\ud800-\udfff]/u);
  });
});

describe('a report as SARIF', () => {
  const [text = ''] = sarifReport(
    reportOf([...mixed, result('saved/x', 'failed', { place: { path: '/other/a b.json', line: 7 } })]),
  );
  const log = JSON.parse(text) as {
    readonly version: string;
    readonly runs: readonly {
      readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] } };
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly level: string;
        readonly message: { readonly text: string };
        readonly locations: readonly {
          readonly physicalLocation: {
            readonly artifactLocation: object;
            readonly region: { readonly startLine: number };
          };
        }[];
      }[];
    }[];
  };
  const [run] = log.runs;

  it('has what 2.1.0 requires: a version, a driver, and for each result its rule and message', () => {
    expect([log.version, run?.tool.driver.name]).toEqual(['2.1.0', 'Patchbay']);
    for (const { ruleId, ruleIndex, message } of run?.results ?? []) {
      expect(run?.tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      expect(message.text).not.toBe('');
    }
  });

  it('has what failed, warnings and notes, each at a place', () => {
    expect(run?.results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['lint/name', 'warning'],
      ['own/ids', 'error'],
      ['lint/style', 'note'],
      ['saved/x', 'error'],
    ]);
    const places = run?.results.map(({ locations: [first] }) => first?.physicalLocation);
    expect(places?.[0]).toEqual({
      artifactLocation: { uri: '.mcp.json', uriBaseId: 'SRCROOT' },
      region: { startLine: 3 },
    });
    expect(places?.[3]?.artifactLocation).toEqual({ uri: pathToFileURL('/other/a b.json').href });
  });
});
