/** The generated parts of README and docs. What people wrote around them stays. */

/** Replaces what stands between `<!-- generated: NAME -->` and `<!-- end -->`. */
function fill(page, path, name, content) {
  const pattern = new RegExp(`(<!-- generated: ${name} -->\\n)[^]*?(<!-- end -->)`);
  if (!pattern.test(page)) throw new Error(`${path} has no place for its generated part: put <!-- generated: ${name} --> and <!-- end --> into it.`);
  return page.replace(pattern, (_, start, end) => `${start}\n${content.trimEnd()}\n\n${end}`);
}

const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');

const rulesTable = (rules, link) =>
  table(
    ['Rule', 'What is wrong', '`recommended`', '`strict`'],
    rules.map((rule) => [`[\`${rule.name}\`](${link(rule.name)})`, rule.description, rule.recommended, rule.strict]),
  );

export const readme = (page, { rules }) => fill(page, 'README.md', 'rules', rulesTable(rules, (name) => `docs/rules/${name}.md`));

export const docsIndex = (page, { rules }) => fill(page, 'docs/README.md', 'rules', rulesTable(rules, (name) => `rules/${name}.md`));

/** Each rule's page opens with what the rule itself says. */
export function rulePages(read, { rules }) {
  const pages = {};
  for (const rule of rules) {
    const path = `docs/rules/${rule.name}.md`;
    const page = read(path);
    if (page === '') throw new Error(`${path} is missing; npm run new:rule lays one out.`);
    const presets = rule.recommended === 'off' ? `In the preset \`strict\` as \`${rule.strict}\`.` : `In the presets \`recommended\` (\`${rule.recommended}\`) and \`strict\` (\`${rule.strict}\`).`;
    pages[path] = fill(page, path, 'header', [`# fencepost/${rule.name}`, rule.description, presets].join('\n\n'));
  }
  return pages;
}

export function settingsPage(page, { manifest }) {
  const properties = Object.entries(manifest.contributes?.configuration?.properties ?? {});
  const sorted = properties.sort(([, a], [, b]) => (a.order ?? 0) - (b.order ?? 0));
  const rows = sorted.map(([name, it]) => [
    `\`${name}\``,
    it.enum ? it.enum.map((value) => `\`${value}\``).join(', ') : it.items?.enum ? `array of ${it.items.enum.map((value) => `\`${value}\``).join(', ')}` : it.type,
    `\`${JSON.stringify(it.default)}\``,
    it.markdownDescription ?? it.description,
  ]);
  return fill(page, 'docs/settings.md', 'editor settings', table(['Setting', 'Values', 'Default', 'What it does'], rows));
}

const families = {
  lock: ['Libraries that take locks', 'What their calls take, release and prolong is known by itself.'],
  store: ['Stores', 'Clients in which a lock may be kept, and clients whose writes a lock protects.'],
  service: ['Services', 'What lies outside and cannot refuse a stale request by itself.'],
  language: ['The platform', 'Calls of the language and of Node that locks, waits and owner values are made with.'],
};

const plural = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;

/** Which majors the rows tell apart, as ranges of the package. */
function versionsOf({ calls, obtain = [] }) {
  const ranges = [...new Set([...calls, ...obtain].map((it) => it.versions).filter(Boolean))];
  return ranges.length > 0 ? [`Versions are told apart: ${ranges.map((it) => `\`${it}\``).join(', ')}.`] : [];
}

const units = { ms: 'milliseconds', s: 'seconds', 'epoch-ms': 'a time in milliseconds', 'epoch-s': 'a time in seconds', duration: 'a text such as `10s`' };
const named = (kind) => ({ lease: 'a lease', session: 'a lock of a session', transaction: 'a lock of a transaction', local: 'a lock of this process' })[kind];

/** What the acquires of a library take, and in which unit their leases are counted. */
function acquiresOf({ calls, decorators = [] }) {
  const acquires = [...calls, ...decorators].flatMap((row) => [row.does].flat().filter((it) => it.kind === 'acquire').map((does) => ({ row, does })));
  if (acquires.length === 0) return [];
  const kinds = [...new Set(acquires.map(({ does }) => named(does.lock)))];
  const names = [...new Set(acquires.flatMap(({ row }) => row.name))].filter((it) => !it.startsWith('default.'));
  const leaseUnits = [...new Set(acquires.flatMap(({ does }) => (does.lease ?? []).map((it) => units[it.unit])))];
  const renews = acquires.some(({ does }) => does.renews) ? ' It can be renewed by the library itself.' : '';
  return [`Takes ${kinds.join(', ')} by ${names.map((it) => `\`${it}\``).join(', ')}${leaseUnits.length > 0 ? `; lengths are ${leaseUnits.join(', or ')}` : ''}.${renews}`];
}

/** The values that seem to order holders, and whether they do. */
function tokensOf({ token, tokens = [] }) {
  const place = ({ of, path }) => `\`${[of.slice(of.indexOf(':') + 1), ...path].join('.')}\``;
  const sound = tokens.filter((it) => it.sound);
  const unsound = tokens.filter((it) => !it.sound);
  return [
    ...(token ? [`A token for its locks: ${token}.`] : []),
    ...sound.map((it) => `Token: ${place(it)}; its order holds (${it.why}).`),
    ...unsound.map((it) => `No token: ${place(it)} (${it.why}).`),
  ];
}

/** How many of the calls are writes whose condition and count are known. */
function writesOf({ calls, family }) {
  if (family !== 'store') return [];
  const misses = new Set();
  let throwing = false;
  for (const does of calls.flatMap((it) => [it.does].flat())) {
    if (does.throwsOnMiss) throwing = true;
    if (does.count) misses.add(does.count.path.length === 0 ? 'the answer itself' : `\`${does.count.path.join('.')}\``);
  }
  if (misses.size === 0) return throwing ? ['A fenced write that misses throws.'] : [];
  return [`A fenced write that misses is told by ${[...misses].join(', ')}${throwing ? '; some calls throw' : ''}.`];
}

/** The whole page: what is known, library by library. */
export function catalogPage({ libraries }) {
  const rows = libraries.reduce((sum, it) => sum + it.calls.length, 0);
  const out = [
    '<!-- Generated by `npm run gen` from catalog/. Do not edit. -->',
    '# What Fencepost knows',
    `Every library is a file of data in \`catalog/\`: ${plural(libraries.length, 'library', 'libraries')} with ${plural(rows, 'row')}. A call that is not known is never reported; \`fencepost explain\` says where one was met. [Your own helpers](own-helpers.md) are taught by the same rows.`,
  ];
  for (const [family, [title, text]] of Object.entries(families)) {
    const members = libraries.filter((it) => it.family === family).sort((a, b) => a.title.localeCompare(b.title, 'en'));
    if (members.length === 0) continue;
    out.push(`## ${title}`, text);
    for (const library of members) {
      const { title: name, packages, facts = [] } = library;
      out.push(`### ${name}`);
      if (packages.length > 0) out.push(packages.map((it) => `\`${it}\``).join(', '));
      const known = [...acquiresOf(library), ...tokensOf(library), ...writesOf(library), ...versionsOf(library), ...facts];
      if (known.length > 0) out.push(known.map((it) => `- ${it}`).join('\n'));
    }
  }
  return `${out.join('\n\n')}\n`;
}
