/** What `export` statements make known to other modules: declarations, names, and what is handed on from elsewhere. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Module, Variable } from '../ir.ts';
import { keyName, lowerExpression } from './expressions.ts';
import type { FunctionLowering } from './functions.ts';
import type { ModuleLowering } from './module.ts';
import { spanOf } from './scope.ts';
import { lowerStatement } from './statements.ts';

type Node = TSESTree.Node;

export class ExportLowering {
  private readonly module: Module;
  private readonly pending: TSESTree.ExportNamedDeclaration[] = [];

  constructor(private readonly lowering: ModuleLowering) {
    this.module = lowering.module;
  }

  /** Notes what the statement exports; names that it only mentions wait for `bindNames`. */
  lower(node: Node, f: FunctionLowering): void {
    if (node.type === 'ExportAllDeclaration') {
      this.lowering.specifier(node.source.value);
      if (!node.exported) this.module.stars.push(node.source.value);
      else this.module.exports.set(keyName(node.exported), { from: { specifier: node.source.value, name: '*' } });
      return;
    }
    if (node.type === 'TSExportAssignment') {
      this.module.whole = lowerExpression(node.expression, f);
      return;
    }
    if (node.type === 'ExportDefaultDeclaration') {
      const it = node.declaration;
      if (it.type === 'FunctionDeclaration') this.module.exports.set('default', { value: { kind: 'function', func: this.lowering.function(it, f), span: spanOf(it) } });
      else if (it.type === 'ClassDeclaration') {
        f.declareClass(it);
        this.module.exports.set('default', { value: { kind: 'class', def: this.lowering.class(it, f), span: spanOf(it) } });
      } else if (it.type === 'TSInterfaceDeclaration') this.lowering.declareType(it, f);
      else this.module.exports.set('default', { value: lowerExpression(it as TSESTree.Expression, f) });
      return;
    }
    if (node.type !== 'ExportNamedDeclaration') return;
    if (node.source) this.lowering.specifier(node.source.value);
    if (node.declaration) lowerStatement(node.declaration, f, []);
    // What the names stand for is known only when the whole module has been read.
    this.pending.push(node);
  }

  /** Looks up the exported names, once every statement has been read. */
  bindNames(f: FunctionLowering): void {
    for (const node of this.pending) {
      for (const it of node.specifiers) {
        const exported = keyName(it.exported);
        if (node.source) this.module.exports.set(exported, { from: { specifier: node.source.value, name: keyName(it.local) } });
        else this.bindName(exported, f.find(keyName(it.local), it.local));
      }
      if (node.declaration) for (const variable of declared(node.declaration, f)) this.bindName(variable.name, variable);
    }
  }

  private bindName(name: string, variable: Variable): void {
    if (variable.import) this.module.exports.set(name, { from: variable.import });
    else if (variable.kind === 'type') this.module.exports.set(name, { type: variable });
    else this.module.exports.set(name, { value: { kind: 'var', variable, span: variable.span } });
  }
}

/** The variables that an exported declaration declares. */
function declared(node: Node, f: FunctionLowering): Variable[] {
  if (node.type === 'VariableDeclaration') {
    const names: string[] = [];
    const collect = (it: Node | null): void => {
      if (!it) return;
      if (it.type === 'Identifier') names.push(it.name);
      else if (it.type === 'ObjectPattern') it.properties.forEach((p) => collect(p.type === 'RestElement' ? p.argument : p.value));
      else if (it.type === 'ArrayPattern') it.elements.forEach(collect);
      else if (it.type === 'AssignmentPattern') collect(it.left);
    };
    node.declarations.forEach((it) => collect(it.id));
    return names.map((name) => f.find(name, node));
  }
  if ('id' in node && node.id && (node.id as Node).type === 'Identifier') return [f.find((node.id as TSESTree.Identifier).name, node)];
  return [];
}
