/** The form of the catalog's rows as a JSON schema, read from the types in `catalog/schema.ts` and `catalog/schema/` and their comments. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../load.mjs';

const keywords = new Map([
  [ts.SyntaxKind.StringKeyword, { type: 'string' }],
  [ts.SyntaxKind.NumberKeyword, { type: 'number' }],
  [ts.SyntaxKind.BooleanKeyword, { type: 'boolean' }],
  [ts.SyntaxKind.NullKeyword, { type: 'null' }],
]);

/** Everything that a library of the settings can say, as `definitions` by the names of the types; `Library` is the whole. */
export function catalogSchema() {
  const parts = [...readdirSync(join(root, 'catalog/schema')).sort().map((it) => join('schema', it)), 'schema.ts'];
  const file = ts.createSourceFile('schema.ts', parts.map((it) => readFileSync(join(root, 'catalog', it), 'utf8')).join('\n'), ts.ScriptTarget.Latest, true);
  const declared = new Map();
  for (const it of file.statements) if (ts.isInterfaceDeclaration(it) || ts.isTypeAliasDeclaration(it)) declared.set(it.name.text, it);
  const definitions = {};
  const commentOf = (node) => {
    const text = ts.getJSDocCommentsAndTags(node).map((it) => (ts.isJSDoc(it) ? ts.getTextOfJSDocComment(it.comment) : '')).join(' ').replaceAll(/\s+/g, ' ').trim();
    return text ? { description: text } : {};
  };

  function object(members) {
    const properties = {};
    const required = [];
    for (const it of members) {
      if (!ts.isPropertySignature(it)) continue;
      properties[it.name.text] = { ...schemaOf(it.type), ...commentOf(it) };
      if (!it.questionToken) required.push(it.name.text);
    }
    return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
  }

  function union(types) {
    const parts = types.filter((it) => it.kind !== ts.SyntaxKind.UndefinedKeyword).map((it) => schemaOf(it));
    const consts = parts.filter((it) => 'const' in it).map((it) => it.const);
    const others = parts.filter((it) => !('const' in it));
    const all = [...(consts.length > 0 ? [consts.length === 1 ? { const: consts[0] } : { enum: consts }] : []), ...others];
    const whole = all.length === 1 ? all[0] : { anyOf: all };
    // JSON has no undefined; in a configuration that is code it may stand there.
    return types.length > 1 && types.some((it) => it.kind === ts.SyntaxKind.UndefinedKeyword) ? { ...whole, undefinable: true } : whole;
  }

  function schemaOf(type) {
    if (keywords.has(type.kind)) return { ...keywords.get(type.kind) };
    if (ts.isParenthesizedTypeNode(type)) return schemaOf(type.type);
    if (ts.isTypeOperatorNode(type)) return schemaOf(type.type);
    if (ts.isArrayTypeNode(type)) return { type: 'array', items: schemaOf(type.elementType) };
    if (ts.isTupleTypeNode(type)) return { type: 'array', items: union(type.elements) };
    if (ts.isTypeLiteralNode(type)) return object(type.members);
    if (ts.isUnionTypeNode(type)) return union(type.types);
    if (ts.isLiteralTypeNode(type)) {
      if (type.literal.kind === ts.SyntaxKind.NullKeyword) return { type: 'null' };
      if (ts.isStringLiteral(type.literal)) return { const: type.literal.text };
      if (ts.isNumericLiteral(type.literal)) return { const: Number(type.literal.text) };
      return { const: type.literal.kind === ts.SyntaxKind.TrueKeyword };
    }
    if (ts.isTypeReferenceNode(type)) {
      const name = type.typeName.getText(file);
      if (name === 'Readonly') return schemaOf(type.typeArguments[0]);
      if (name === 'Record') return { type: 'object', additionalProperties: schemaOf(type.typeArguments[1]) };
      if (declared.has(name)) {
        define(name);
        return { $ref: `#/definitions/${name}` };
      }
    }
    throw new Error(`catalog/schema.ts: ${type.getText(file)} has no form in JSON. Teach tools/gen/schema.mjs, or write the type in a simpler way.`);
  }

  function define(name) {
    if (name in definitions) return;
    definitions[name] = {};
    const node = declared.get(name);
    if (ts.isTypeAliasDeclaration(node)) definitions[name] = { ...schemaOf(node.type), ...commentOf(node) };
    else {
      const inherited = (node.heritageClauses ?? []).flatMap((it) => it.types).flatMap((it) => [...declared.get(it.expression.getText(file)).members]);
      definitions[name] = { ...object([...inherited, ...node.members]), ...commentOf(node) };
    }
  }

  define('Library');
  // Edits are code that Fencepost itself answers for; the settings cannot teach them.
  delete definitions.Library.properties.edits;
  for (const name of ['Edits', 'ScriptForm', 'CommandForm', 'GrantForm', 'FenceForm', 'CallForm']) delete definitions[name];
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Rows of the catalog, as settings.fencepost.catalog takes them',
    type: 'array',
    items: { $ref: '#/definitions/Library' },
    definitions,
  };
}

/** The same as a module, without the comments: what the settings are checked by. */
export function catalogSchemaModule() {
  const bare = JSON.stringify(catalogSchema().definitions, (key, value) => (key === 'description' && typeof value === 'string' ? undefined : value), 1);
  return [
    '/** Generated by `npm run gen`: the form of the rows, as data. Do not edit. */\n',
    "import type { Form } from './form.ts';\n\n",
    `export const forms: Readonly<Record<string, Form>> = ${bare};\n`,
  ].join('');
}
