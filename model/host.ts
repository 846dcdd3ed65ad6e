/**
 * What the model may ask of the outside: which module a specifier names, and what stands in it.
 * The host is handed in (the file system with a cache for ESLint, open documents over the file
 * system for the server, a map for tests), so that the model itself does no I/O.
 */

/** An ESTree program with TypeScript nodes where the parser gives them. Only `model/lower/` and `rules/fixes/` look inside. */
export interface Program {
  type: 'Program';
  range?: [number, number];
  body: unknown[];
  comments?: { type: string; value: string; range: [number, number] }[];
}

export interface SourceText {
  text: string;
  /** Changes whenever the text does; equal versions mean equal text. */
  version: string | number;
}

export interface ModuleHost {
  /** Hosts with the same one parse in the same way: what was computed of an unchanged text may be kept between them. */
  readonly parsesLike?: object;
  /** While this is the same object, nothing outside has changed: what was found out of files holds. A host that cannot promise it has none. */
  readonly snapshot?: object;
  /** For so many characters of text the modules are kept, with what was computed of them: each character takes about 60 bytes. A short run has more room than an editor's session. */
  readonly room?: number;
  /**
   * The absolute path of the module that `specifier` names in `from`, or undefined when it is a
   * package, a built-in, or cannot be found. Never a path inside `node_modules`.
   */
  resolve(from: string, specifier: string): string | undefined;
  /** Text of a file, or undefined when it cannot be read, is binary or is over the size limit. */
  read(file: string): SourceText | undefined;
  /** The same, for one look: a host that keeps texts need not keep this one. */
  skim?(file: string): SourceText | undefined;
  /** The parsed file, or undefined when it has a syntax error. Parsed once per version. */
  parse(file: string, source: SourceText): Program | undefined;
  /** Source files in the folder of `file`, without itself, tests and declarations. A host that cannot list has none. */
  beside?(file: string): readonly string[];
  /** The version range that the nearest package.json above `from` gives for `name`, or undefined. */
  packageRange(from: string, name: string): string | undefined;
}
