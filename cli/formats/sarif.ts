/**
 * SARIF 2.1.0, as code scanning reads it: related places, the interleaving as a code flow with a thread
 * for each instance, help for each rule, fingerprints that survive moved lines. What a baseline knows is
 * left out, because code scanning would show suppressed results as open.
 */
import type { Log, PhysicalLocation, ReportingDescriptor, Result, ThreadFlow } from 'sarif';
import manifest from '../../package.json';
import type { Place } from '../../model/place.ts';
import { milliseconds } from '../../rules/words.ts';
import type { Step } from '../../rules/finding.ts';
import { rules } from '../../rules/index.gen.ts';
import { ruleTable } from '../../rules/table.gen.ts';
import { fingerprintsOf } from '../fingerprint.ts';
import { splitMessage } from '../prose.ts';
import { type Report, type Reported, pathFrom } from '../report.ts';

const home = 'https://github.com/fencepost-dev/fencepost';

export function asSarif(report: Report): string {
  const uriOf = (file: string): string => pathFrom(report.cwd, file).split('/').map(encodeURIComponent).join('/');
  const physical = (file: string, region: PhysicalLocation['region']): PhysicalLocation => ({ artifactLocation: { uri: uriOf(file), uriBaseId: 'SRCROOT' }, region });
  const placed = (it: Place): PhysicalLocation => physical(it.file, { startLine: it.line, startColumn: it.column + 1, endLine: it.endLine, endColumn: it.endColumn + 1 });

  const resultOf = (file: string, it: Reported, fingerprint: string): Result => {
    const steps = it.finding?.interleaving ?? [];
    const related = it.finding?.related ?? [];
    return {
      ruleId: `fencepost/${it.rule}`,
      ruleIndex: ruleTable.findIndex((rule) => rule.name === it.rule),
      level: it.severity === 'error' ? 'error' : 'warning',
      message: { text: it.message },
      locations: [{ physicalLocation: physical(file, { startLine: it.line, startColumn: it.column, endLine: it.endLine, endColumn: it.endColumn }) }],
      ...(related.length > 0 && { relatedLocations: related.map(({ place, text }, id) => ({ id, physicalLocation: placed(place), message: { text } })) }),
      ...(steps.length > 0 && { codeFlows: [{ message: { text: 'How the data is lost.' }, threadFlows: threadsOf(steps, placed, { file, line: it.line }, physical) }] }),
      partialFingerprints: { 'fencepost/v1': fingerprint },
      ...(it.change && { baselineState: it.change === 'new' ? ('new' as const) : ('unchanged' as const) }),
    };
  };

  const log: Log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Fencepost', informationUri: home, version: manifest.version, semanticVersion: manifest.version, rules: ruleTable.map((it) => descriptorOf(it.name)) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { SRCROOT: { description: { text: 'The folder that was checked.' } } },
        results: report.files.flatMap(({ file, problems }) => {
          const fingerprints = fingerprintsOf(problems, pathFrom(report.cwd, file), report.linesOf(file));
          return problems.map((it, i) => resultOf(file, it, fingerprints[i]!));
        }),
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

/** A thread per instance, and one for the lock service; `executionOrder` puts them into one time. */
function threadsOf(steps: readonly Step[], placed: (place: Place) => PhysicalLocation, fallback: { file: string; line: number }, physical: (file: string, region: PhysicalLocation['region']) => PhysicalLocation): ThreadFlow[] {
  const names = { A: 'instance A', B: 'instance B', service: 'the lock service' };
  return (['A', 'B', 'service'] as const).flatMap((who) => {
    const own = steps.map((step, i) => ({ step, order: i + 1 })).filter(({ step }) => step.who === who);
    if (own.length === 0) return [];
    return [
      {
        id: who,
        message: { text: names[who] },
        locations: own.map(({ step, order }) => ({
          executionOrder: order,
          importance: step.loses ? ('essential' as const) : ('important' as const),
          location: {
            physicalLocation: step.place ? placed(step.place) : physical(fallback.file, { startLine: fallback.line }),
            message: { text: `${milliseconds(step.at)}: ${names[who]} ${step.says}${step.resource ? ` (data: ${step.resource})` : ''}` },
          },
        })),
      },
    ];
  });
}

function descriptorOf(name: string): ReportingDescriptor {
  const rule = rules.find((it) => it.name === name)!;
  const { url } = ruleTable.find((it) => it.name === name)!;
  const wrong = Object.values(rule.messages)[0]!.replace(/\{\{\s*\w+\s*\}\}/g, '…');
  return {
    id: `fencepost/${name}`,
    name: name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: splitMessage(rule.description).first },
    fullDescription: { text: rule.description },
    helpUri: url,
    help: { text: `${rule.description} ${wrong} See ${url}`, markdown: `${rule.description}\n\n${wrong}\n\n[The rule's page](${url})` },
    defaultConfiguration: { level: rule.severity === 'error' ? 'error' : 'warning' },
    properties: { tags: ['concurrency', 'distributed-lock'], precision: rule.preset === 'recommended' ? 'high' : 'medium', 'problem.severity': rule.severity === 'error' ? 'error' : 'warning' },
  };
}
