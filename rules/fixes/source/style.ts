/** How the file is written: quotes, semicolons, indentation, line ends, and whether it is TypeScript, a module or CommonJS. */
import { isBuiltin } from 'node:module';
import type { Tree } from './tree.ts';

export interface Style {
  quote: '"' | "'";
  /** `;`, or nothing. */
  semi: string;
  /** One step of indentation. */
  indent: string;
  newline: string;
  isTypeScript: boolean;
  isCommonJs: boolean;
  /** Built-in modules are named `node:…`. */
  hasNodePrefix: boolean;
}

const styles = new WeakMap<Tree, Style>();

export function styleOf(tree: Tree): Style {
  let style = styles.get(tree);
  if (!style) styles.set(tree, (style = read(tree)));
  return style;
}

function read(tree: Tree): Style {
  const { source, program, module } = tree;
  let single = 0;
  let double = 0;
  let ended = 0;
  let open = 0;
  const builtIns: string[] = [];
  for (const node of tree.nodes) {
    if (node.type === 'Literal' && typeof node.value === 'string') {
      if (node.raw.startsWith("'")) single++;
      else if (node.raw.startsWith('"') && !node.value.includes("'")) double++;
    }
    if (node.type === 'ExpressionStatement' || node.type === 'VariableDeclaration' || node.type === 'ReturnStatement' || node.type === 'ImportDeclaration') {
      const end = node.range[1];
      if (source[end - 1] === ';') ended++;
      else if (/^[^\S\n]*(?:\/\/.*)?(?:\r?\n|$)/.test(source.slice(end, end + 200))) open++;
    }
  }
  for (const it of module.specifiers) if (isBuiltin(it)) builtIns.push(it);
  const hasImports = program.body.some((it) => it.type === 'ImportDeclaration' || it.type.startsWith('Export'));
  const isCommonJs = !hasImports && (/\.c[jt]s$/.test(module.file) || program.body.some((it) => /\brequire\(|\bmodule\.exports\b|^exports\./.test(tree.text(it).slice(0, 400))));
  return {
    quote: double > single ? '"' : "'",
    semi: ended >= open ? ';' : '',
    indent: indentation(source),
    newline: source.includes('\r\n') ? '\r\n' : '\n',
    isTypeScript: /\.[cm]?tsx?$/.test(module.file),
    isCommonJs,
    hasNodePrefix: builtIns.length === 0 || builtIns.some((it) => it.startsWith('node:')),
  };
}

/** The indentation by which most lines begin deeper than the line before. */
function indentation(source: string): string {
  const counts = new Map<string, number>();
  let before = '';
  for (const line of source.split('\n')) {
    if (line.trim() === '' || /^\s*\*/.test(line)) continue;
    const own = /^[ \t]*/.exec(line)![0];
    if (own.length > before.length && own.startsWith(before)) {
      const step = own.slice(before.length);
      counts.set(step, (counts.get(step) ?? 0) + 1);
    }
    before = own;
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '  ';
}

/** The white space with which the line of an offset begins. */
export function indentAt(source: string, offset: number): string {
  const start = source.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(source.slice(start))![0];
}

/** Whether nothing but white space stands before an offset on its line. */
export function isFirstOnLine(source: string, offset: number): boolean {
  const start = source.lastIndexOf('\n', offset - 1) + 1;
  return source.slice(start, offset).trim() === '';
}

/** A text as a string literal of this file. */
export function quoted(text: string, style: Style): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(style.quote, `\\${style.quote}`).replaceAll('\n', '\\n');
  return style.quote + escaped + style.quote;
}

/** A number as the file writes large ones. */
export function separated(n: number, tree: Tree): string {
  const text = String(n);
  return /\b\d{1,3}(?:_\d{3})+\b/.test(tree.source) && /^\d+$/.test(text) ? text.replace(/\B(?=(?:\d{3})+$)/g, '_') : text;
}
