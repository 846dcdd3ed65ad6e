/**
 * Values of settings against the form that they must have: the part of JSON schema that the catalog's
 * rows need. What is wrong is told in one sentence, with the place and what may stand there.
 */
export interface Form {
  type?: string;
  const?: string | number | boolean;
  enum?: readonly (string | number | boolean)[];
  anyOf?: readonly Form[];
  properties?: Readonly<Record<string, Form>>;
  required?: readonly string[];
  additionalProperties?: boolean | Form;
  items?: Form;
  $ref?: string;
  /** The value may also be `undefined`, where it is written down. */
  undefinable?: boolean;
}

type Forms = Readonly<Record<string, Form>>;

/** The first fault of a value, or undefined when it has the form. */
export function faultOf(value: unknown, form: Form, path: string, forms: Forms): string | undefined {
  const it = resolved(form, forms);
  if (it.anyOf) return faultOfChoice(value, it.anyOf.flatMap((each) => choicesOf(each, forms)), path, forms);
  if (it.const !== undefined) return value === it.const ? undefined : `${path} is ${shown(value)}; use ${shown(it.const)}.`;
  if (it.enum) return it.enum.includes(value as string) ? undefined : `${path} is ${shown(value)}; use ${listed(it.enum.map(shown))}.`;
  if (it.type !== undefined && typeOf(value) !== it.type) return `${path} must be ${article(it.type)}, not ${shown(value)}.`;
  if (it.type === 'array') return first((value as unknown[]).map((each, i) => () => faultOf(each, it.items!, `${path}[${i}]`, forms)));
  if (it.type === 'object') return faultOfObject(value as Record<string, unknown>, it, path, forms);
  return undefined;
}

function faultOfObject(value: Record<string, unknown>, form: Form, path: string, forms: Forms): string | undefined {
  const { properties = {}, required = [], additionalProperties } = form;
  const missing = required.find((name) => value[name] === undefined && !(name in value && allowsUndefined(properties[name]!, forms)));
  if (missing !== undefined) return `${path}.${missing} is missing; it must be ${described(properties[missing]!, forms)}.`;
  return first(
    Object.entries(value).filter(([, each]) => each !== undefined).map(([name, each]) => () => {
      const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (own) return faultOf(each, own, `${path}.${name}`, forms);
      if (typeof additionalProperties === 'object') return faultOf(each, additionalProperties, `${path}.${name}`, forms);
      return `${path}.${name} is not known; use ${listed(Object.keys(properties))}.`;
    }),
  );
}

/** Of several forms, the fault is told by the one that the value seems to be meant as. */
function faultOfChoice(value: unknown, choices: readonly Form[], path: string, forms: Forms): string | undefined {
  if (choices.some((it) => faultOf(value, it, path, forms) === undefined)) return undefined;
  const type = typeOf(value);
  const objects = choices.filter((it) => it.type === 'object');
  if (type === 'object') {
    const { kind } = value as { kind?: unknown };
    const ofKind = objects.filter((it) => it.properties?.kind?.const !== undefined);
    if (ofKind.length > 1 && !ofKind.some((it) => it.properties!.kind!.const === kind)) {
      return `${path}.kind is ${shown(kind)}; use ${listed(ofKind.map((it) => shown(it.properties!.kind!.const)))}.`;
    }
    const meant = ofKind.find((it) => it.properties!.kind!.const === kind) ?? nearest(value as object, objects);
    if (meant) return faultOf(value, meant, path, forms);
  }
  const sameType = choices.filter((it) => it.type === type && type !== 'object');
  if (sameType.length === 1) return faultOf(value, sameType[0]!, path, forms);
  return `${path} is ${shown(value)}; it must be ${listed(choices.map((it) => described(it, forms)))}.`;
}

/** The object form that shares most names with the value; none, where none is shared. */
function nearest(value: object, objects: readonly Form[]): Form | undefined {
  const shared = (it: Form): number => Object.keys(value).filter((name) => it.properties && Object.hasOwn(it.properties, name)).length;
  const best = [...objects].sort((a, b) => shared(b) - shared(a))[0];
  return best && (shared(best) > 0 || objects.length === 1) ? best : undefined;
}

function resolved(form: Form, forms: Forms): Form {
  return form.$ref === undefined ? form : resolved(forms[form.$ref.slice(form.$ref.lastIndexOf('/') + 1)]!, forms);
}

function allowsUndefined(form: Form, forms: Forms): boolean {
  const it = resolved(form, forms);
  return it.undefinable ?? it.anyOf?.some((each) => allowsUndefined(each, forms)) ?? false;
}

function choicesOf(form: Form, forms: Forms): readonly Form[] {
  const it = resolved(form, forms);
  return it.anyOf ? it.anyOf.flatMap((each) => choicesOf(each, forms)) : [it];
}

function described(form: Form, forms: Forms): string {
  const it = resolved(form, forms);
  if (it.anyOf) return listed([...new Set(it.anyOf.flatMap((each) => choicesOf(each, forms)).map((each) => described(each, forms)))]);
  if (it.const !== undefined) return shown(it.const);
  if (it.enum) return listed(it.enum.map(shown));
  if (it.type === 'object' && it.required?.length) return `{ ${it.required.map((name) => (it.properties![name]!.const === undefined ? name : `${name}: ${shown(it.properties![name]!.const)}`)).join(', ')} }`;
  return article(it.type ?? 'value');
}

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
const article = (type: string): string => (type === 'null' ? 'null' : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
const listed = (of: readonly string[]): string => (of.length < 2 ? of.join('') : `${of.slice(0, -1).join(', ')} or ${of[of.length - 1]}`);

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'object' || typeof value === 'function') return value === null ? 'null' : article(typeOf(value));
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function first(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const fault = check();
    if (fault !== undefined) return fault;
  }
  return undefined;
}
