/**
 * What an expression of a configuration file is, read and not run: literals, arrays, objects, spreads, and
 * names that the file itself gives to such things. What is imported and what is called stays visible as such,
 * so that whoever asks can tell a preset of a package from what nobody can know.
 */
import type { TSESTree } from '@typescript-eslint/types';

export type StaticValue =
  | { kind: 'literal'; value: string | number | boolean | null | undefined }
  | { kind: 'array'; items: StaticValue[] }
  | { kind: 'object'; props: Map<string, StaticValue>; hasMore: boolean; node: TSESTree.Node }
  /** A path into a module: `configs.recommended` of `eslint-plugin-fencepost`, say. */
  | { kind: 'import'; module: string; path: string[] }
  /** A call of such a path. */
  | { kind: 'call'; callee: StaticValue; args: StaticValue[]; node: TSESTree.Node }
  | { kind: 'spread'; of: StaticValue }
  | { kind: 'unknown'; node: TSESTree.Node };

/** The names of a module's top level, and what it exports as its default. */
export interface StaticModule {
  names: ReadonlyMap<string, () => StaticValue>;
  exported: StaticValue | undefined;
}

/** Reads the top level of a module. Never throws; what it cannot read is `unknown`. */
export function readModule(program: TSESTree.Program): StaticModule {
  const names = new Map<string, () => StaticValue>();
  const busy = new Set<string>();
  const read = (node: TSESTree.Node | null | undefined): StaticValue => valueOf(node, nameOf);
  const nameOf = (name: string, node: TSESTree.Node): StaticValue => {
    const known = names.get(name);
    if (!known || busy.has(name)) return name === 'undefined' ? { kind: 'literal', value: undefined } : { kind: 'unknown', node };
    busy.add(name);
    try {
      return known();
    } finally {
      busy.delete(name);
    }
  };
  let exported: (() => StaticValue) | undefined;
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const it of statement.specifiers) {
        const path = it.type === 'ImportSpecifier' ? [it.imported.type === 'Identifier' ? it.imported.name : it.imported.value] : [];
        names.set(it.local.name, (): StaticValue => ({ kind: 'import', module: statement.source.value, path: path[0] === 'default' ? [] : path }));
      }
    } else if (statement.type === 'VariableDeclaration' && statement.kind === 'const') {
      for (const { id, init } of statement.declarations) declare(id, () => read(init), names);
    } else if (statement.type === 'ExportDefaultDeclaration') {
      exported = () => read(statement.declaration);
    } else if (statement.type === 'ExpressionStatement' && statement.expression.type === 'AssignmentExpression' && isModuleExports(statement.expression.left)) {
      const { right } = statement.expression;
      exported = () => read(right);
    }
  }
  return { names, exported: exported?.() };
}

function declare(id: TSESTree.Node, value: () => StaticValue, names: Map<string, () => StaticValue>): void {
  if (id.type === 'Identifier') names.set(id.name, value);
  if (id.type !== 'ObjectPattern') return;
  for (const it of id.properties) {
    if (it.type !== 'Property' || it.computed || it.key.type !== 'Identifier' || it.value.type !== 'Identifier') continue;
    const { name } = it.key;
    names.set(it.value.name, () => memberOf(value(), name, id));
  }
}

const isModuleExports = (node: TSESTree.Node): boolean =>
  node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.object.name === 'module' && node.property.type === 'Identifier' && node.property.name === 'exports';

type Names = (name: string, node: TSESTree.Node) => StaticValue;

function valueOf(node: TSESTree.Node | null | undefined, names: Names): StaticValue {
  if (!node) return { kind: 'literal', value: undefined };
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'object' && node.value !== null ? { kind: 'unknown', node } : { kind: 'literal', value: node.value as string | number | boolean | null };
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? { kind: 'literal', value: node.quasis[0]!.value.cooked } : { kind: 'unknown', node };
    case 'Identifier':
      return names(node.name, node);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return valueOf(node.expression, names);
    case 'ArrayExpression':
      return { kind: 'array', items: node.elements.flatMap((it): StaticValue[] => flat(valueOf(it, names))) };
    case 'SpreadElement':
      return { kind: 'spread', of: valueOf(node.argument, names) };
    case 'ObjectExpression':
      return objectOf(node, names);
    case 'MemberExpression': {
      const name = node.computed ? (node.property.type === 'Literal' ? String(node.property.value) : undefined) : node.property.type === 'Identifier' ? node.property.name : undefined;
      return name === undefined ? { kind: 'unknown', node } : memberOf(valueOf(node.object, names), name, node);
    }
    case 'CallExpression':
      return callOf(node, names);
    default:
      return { kind: 'unknown', node };
  }
}

/** What is spread into an array, where that is an array that is known. */
const flat = (it: StaticValue): StaticValue[] => (it.kind === 'spread' && it.of.kind === 'array' ? it.of.items : [it]);

function objectOf(node: TSESTree.ObjectExpression, names: Names): StaticValue {
  const props = new Map<string, StaticValue>();
  let hasMore = false;
  for (const it of node.properties) {
    if (it.type === 'SpreadElement') {
      const of = valueOf(it.argument, names);
      if (of.kind === 'object') for (const [name, value] of of.props) props.set(name, value);
      hasMore ||= of.kind !== 'object' || of.hasMore;
    } else if (it.computed || (it.key.type !== 'Identifier' && it.key.type !== 'Literal')) hasMore = true;
    else props.set(it.key.type === 'Identifier' ? it.key.name : String(it.key.value), valueOf(it.value, names));
  }
  return { kind: 'object', props, hasMore, node };
}

function memberOf(of: StaticValue, name: string, node: TSESTree.Node): StaticValue {
  if (of.kind === 'import') return { ...of, path: name === 'default' && of.path.length === 0 ? [] : [...of.path, name] };
  if (of.kind === 'object') return of.props.get(name) ?? (of.hasMore ? { kind: 'unknown', node } : { kind: 'literal', value: undefined });
  return { kind: 'unknown', node };
}

function callOf(node: TSESTree.CallExpression, names: Names): StaticValue {
  const [first] = node.arguments;
  if (node.callee.type === 'Identifier' && node.callee.name === 'require' && first?.type === 'Literal' && typeof first.value === 'string') return { kind: 'import', module: first.value, path: [] };
  return { kind: 'call', callee: valueOf(node.callee, names), args: node.arguments.flatMap((it) => flat(valueOf(it, names))), node };
}

/** The plain value, or undefined with `isWhole` false where a part of it is not known. */
export function plain(value: StaticValue): { value: unknown; isWhole: boolean } {
  switch (value.kind) {
    case 'literal':
      return { value: value.value, isWhole: true };
    case 'array': {
      const items = value.items.map(plain);
      return { value: items.map((it) => it.value), isWhole: items.every((it) => it.isWhole) };
    }
    case 'object': {
      const entries = [...value.props].map(([name, it]) => [name, plain(it)] as const);
      return { value: Object.fromEntries(entries.map(([name, it]) => [name, it.value])), isWhole: !value.hasMore && entries.every(([, it]) => it.isWhole) };
    }
    default:
      return { value: undefined, isWhole: false };
  }
}
