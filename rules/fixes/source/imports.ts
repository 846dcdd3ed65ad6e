/** What a file imports: how an export is named in it, and how one that is missing is imported in the file's own way. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Draft } from './draft.ts';
import { referencesTo, resolve } from './scopes.ts';
import { quoted } from './style.ts';
import { type Node, type Statement, type Tree, unwrap } from './tree.ts';

const bare = (specifier: string): string => specifier.replace(/^node:/, '');
const isSame = (a: unknown, b: string): boolean => typeof a === 'string' && bare(a) === bare(b);

/** One statement that brings in a module, with what it binds. */
interface Import {
  statement: Statement;
  specifier: string;
  isType: boolean;
  /** The module as a whole. */
  whole?: string;
  default?: string;
  /** Export → local name. */
  names: Map<string, string>;
  /** Where the next name goes. */
  lastName?: Node;
}

/** Every import and top-level `require` of a file. */
function importsOf(tree: Tree): Import[] {
  return tree.program.body.flatMap((it): Import[] => {
    if (it.type === 'ImportDeclaration') return [fromImport(it)];
    if (it.type === 'TSImportEqualsDeclaration' && it.moduleReference.type === 'TSExternalModuleReference' && it.moduleReference.expression.type === 'Literal') {
      return [{ statement: it, specifier: String(it.moduleReference.expression.value), isType: false, whole: it.id.name, default: it.id.name, names: new Map() }];
    }
    return it.type === 'VariableDeclaration' ? it.declarations.flatMap((each) => fromRequire(it, each)) : [];
  });
}

function fromImport(it: TSESTree.ImportDeclaration): Import {
  const found: Import = { statement: it, specifier: it.source.value, isType: it.importKind === 'type', names: new Map() };
  for (const each of it.specifiers) {
    if (each.type === 'ImportNamespaceSpecifier') found.whole = each.local.name;
    else if (each.type === 'ImportDefaultSpecifier') found.default = each.local.name;
    else {
      found.lastName = each;
      const name = each.imported.type === 'Identifier' ? each.imported.name : each.imported.value;
      if (each.importKind !== 'type') found.names.set(name, each.local.name);
      else found.names.set(`type ${name}`, each.local.name);
    }
  }
  return found;
}

function fromRequire(statement: Statement, { id, init }: TSESTree.VariableDeclarator): Import[] {
  const member = init?.type === 'MemberExpression' && !init.computed && init.property.type === 'Identifier' ? init.property.name : undefined;
  const call = member === undefined ? init : (init as TSESTree.MemberExpression).object;
  const specifier = call ? requiredBy(call) : undefined;
  if (specifier === undefined) return [];
  const found: Import = { statement, specifier, isType: false, names: new Map<string, string>() };
  if (id.type === 'Identifier' && member === undefined) found.whole = found.default = id.name;
  else if (id.type === 'Identifier') found.names.set(member!, id.name);
  else if (id.type === 'ObjectPattern' && member === undefined) {
    for (const it of id.properties) {
      if (it.type !== 'Property' || it.key.type !== 'Identifier' || it.value.type !== 'Identifier') continue;
      found.names.set(it.key.name, it.value.name);
      found.lastName = it;
    }
  }
  return [found];
}

function requiredBy(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'require') return undefined;
  const [first] = node.arguments;
  return first?.type === 'Literal' && typeof first.value === 'string' ? first.value : undefined;
}

/** The statement behind which a new constant of the module goes: the last import, or `require`, of the head. */
export function endOfHead(tree: Tree): Statement | undefined {
  const imports = new Set(importsOf(tree).map((it) => it.statement));
  let last: Statement | undefined;
  for (const it of tree.program.body) {
    if (imports.has(it)) last = it;
    else if (it.type === 'FunctionDeclaration' || it.type === 'ClassDeclaration' || it.type.startsWith('Export')) break;
  }
  return last;
}

/** Where the first statement of a file without imports may stand: behind `'use strict'` and the like. */
export function startOfFile(tree: Tree): { offset: number; isBehind: boolean } {
  const directives = tree.program.body.filter((it) => it.type === 'ExpressionStatement' && 'directive' in it && it.directive !== undefined);
  const last = directives[directives.length - 1];
  if (last) return { offset: last.range[1], isBehind: true };
  return { offset: tree.program.body[0]?.range[0] ?? 0, isBehind: false };
}

/** How an export that the file imports is written in it; undefined when it is not imported. */
export function importedName(specifier: string, name: string, tree: Tree): string | undefined {
  for (const it of importsOf(tree)) {
    if (it.isType || !isSame(it.specifier, specifier)) continue;
    if (name === 'default' && (it.default ?? it.names.get('default'))) return it.default ?? it.names.get('default');
    const local = it.names.get(name);
    if (local) return local;
    // The default export of a built-in module is the module.
    const whole = it.whole ?? (specifier.startsWith('node:') ? it.default : undefined);
    if (whole && name !== 'default') return `${whole}.${name}`;
  }
  return undefined;
}

/** Whether the first name of a path means the same at a node as it does at the top of the module. */
export function isVisible(path: string, at: Node, tree: Tree): boolean {
  const name = path.split('.')[0]!;
  return resolve(name, at, tree)?.id === resolve(name, tree.program, tree)?.id;
}

/** How an export is written, imported by the edit where the file does not import it yet; undefined where its name is taken. */
export function nameOfExport(specifier: string, name: string, draft: Draft): string | undefined {
  return importedName(specifier, name, draft.tree) ?? draft.once(`import ${name} ${specifier}`, () => imported(specifier, name, draft));
}

function imported(specifier: string, name: string, draft: Draft): string | undefined {
  const { tree } = draft;
  if (name === 'default' || tree.identifiers(name).some((it) => resolve(name, it, tree)?.scope === tree.program)) return undefined;
  const same = importsOf(tree).find((it) => !it.isType && isSame(it.specifier, specifier) && it.lastName);
  if (same) {
    draft.insert(same.lastName!.range[1], `, ${name}`);
    return name;
  }
  addImport(specifier, name, draft, '');
  return name;
}

/** How a type is written, imported by the edit where it is not yet. */
export function nameOfType(specifier: string, name: string, draft: Draft): string | undefined {
  const { tree } = draft;
  for (const it of importsOf(tree)) {
    if (!isSame(it.specifier, specifier)) continue;
    const local = it.names.get(`type ${name}`) ?? it.names.get(name);
    const whole = it.whole ?? it.default;
    if (local ?? whole) return local ?? `${whole!}.${name}`;
  }
  if (tree.identifiers(name).some((it) => resolve(name, it, tree)?.scope === tree.program)) return undefined;
  return draft.once(`type ${name} ${specifier}`, () => {
    addImport(specifier, name, draft, 'type ');
    return name;
  });
}

function addImport(specifier: string, name: string, draft: Draft, type: string): void {
  const { tree, style } = draft;
  const isBuiltIn = specifier.startsWith('node:');
  const from = quoted(isBuiltIn && !style.hasNodePrefix ? bare(specifier) : specifier, style);
  const text = style.isCommonJs ? `const { ${name} } = require(${from})${style.semi}` : `import ${type}{ ${name} } from ${from}${style.semi}`;
  const all = importsOf(tree);
  const same = all.find((it) => isSame(it.specifier, specifier));
  const first = all[0]?.statement;
  const last = endOfHead(tree);
  // Built-in modules come first, as most files have it.
  if (same) draft.behind(same.statement, `${style.newline}${text}`);
  else if (isBuiltIn && first) draft.insert(first.range[0], `${text}${style.newline}`);
  else if (last) draft.behind(last, `${style.newline}${text}`);
  else {
    const { offset, isBehind } = startOfFile(tree);
    draft.insert(offset, isBehind ? `${style.newline}${style.newline}${text}` : `${text}${style.newline}${style.newline}`);
  }
}

/** Whether a call makes a fresh text by one of the exports that are known for it. */
export function isMaker(node: Node, makers: readonly { from: string; name: string }[], tree: Tree): boolean {
  const it = unwrap(node);
  if (it.type !== 'CallExpression' || it.arguments.length > 0) return false;
  const written = tree.text(it.callee);
  return makers.some(({ from, name }) => importedName(from, name, tree) === written);
}

/** A call that makes a fresh owner value, by what the file already imports, or else by the built-in maker. */
export function freshValue(makers: readonly { from: string; name: string }[], at: Node, draft: Draft): string | undefined {
  const { tree } = draft;
  for (const { from, name } of makers) {
    const known = importedName(from, name, tree);
    if (known && isVisible(known, at, tree)) return `${known}()`;
  }
  const builtIn = makers.find((it) => it.from.startsWith('node:'));
  const added = builtIn && nameOfExport(builtIn.from, builtIn.name, draft);
  return added && isVisible(added, at, tree) ? `${added}()` : undefined;
}

/** Takes out the import of a name that is read nowhere else. */
export function dropImport(name: Node, draft: Draft): void {
  const { tree } = draft;
  const binding = name.type === 'Identifier' ? resolve(name.name, name, tree) : undefined;
  const it = binding?.declaration;
  const statement = it && tree.parent(it);
  if (!it || binding?.kind !== 'import' || statement?.type !== 'ImportDeclaration' || referencesTo(binding, tree).length > 1) return;
  const list = statement.specifiers;
  const index = list.findIndex((each) => each === it);
  const [before, after] = [list[index - 1], list[index + 1]];
  if (list.length === 1) draft.removeLine(statement);
  else if (it.type === 'ImportSpecifier' && after) draft.replace({ start: it.range[0], end: after.range[0] }, '');
  else if (it.type === 'ImportSpecifier' && before?.type === 'ImportSpecifier') draft.replace({ start: before.range[1], end: it.range[1] }, '');
}
