/** Type errors of texts against the real packages of the clients. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../root.ts';

export interface Text {
  path: string;
  text: string;
}

/** Packages whose types the edits of the fixtures are checked against. */
const packages = ['ioredis', 'iovalkey', 'redis', '@upstash/redis', '@vercel/kv', '@valkey/valkey-glide', 'pg', 'postgres', 'mysql2', 'better-sqlite3', '@libsql/client', '@electric-sql/pglite', 'knex', 'kysely', 'drizzle-orm', 'typeorm', 'sequelize', 'objection', 'mongodb', 'mongoose', '@aws-sdk/client-dynamodb', '@aws-sdk/client-s3', '@google-cloud/storage', '@azure/storage-blob', '@aws-sdk/lib-dynamodb', 'nanoid', 'uuid'];
const typesOf = (name: string): string => (name.startsWith('@') ? name : `@types/${name}`);

export const missingPackages = (): string[] => packages.filter((name) => ![name, typesOf(name)].some((it) => existsSync(join(root, 'node_modules', it, 'package.json'))));

export const isTypeScript = (path: string): boolean => /\.[cm]?tsx?$/.test(path);

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  strict: true,
  esModuleInterop: true,
  experimentalDecorators: true,
  noEmit: true,
  skipLibCheck: true,
  types: ['node'],
};

/** The type errors of each text by its path, without their places, which an edit moves. */
export function typeErrors(files: readonly Text[]): Map<string, string[]> {
  const texts = new Map(files.map((it) => [it.path, it.text]));
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => texts.has(file) || fileExists.call(host, file);
  host.readFile = (file) => texts.get(file) ?? readFile.call(host, file);
  host.getSourceFile = (file, version, ...rest) => {
    const text = texts.get(file);
    return text === undefined ? getSourceFile.call(host, file, version, ...rest) : ts.createSourceFile(file, text, version, true);
  };
  host.getCurrentDirectory = () => root;
  const program = ts.createProgram([...texts.keys()], options, host);
  const errorsOf = (path: string): string[] => {
    const source = program.getSourceFile(path)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((it) => `TS${it.code}: ${ts.flattenDiagnosticMessageText(it.messageText, '\n')}`);
  };
  return new Map([...texts.keys()].map((path) => [path, errorsOf(path)]));
}
