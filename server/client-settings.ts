/** Where the settings of a document come from: the client is asked, or told them to us; equal ones are one object. */
import { readEditorSettings, type EditorSettings } from './editor-settings.ts';

export interface ClientSettings {
  /** The settings that hold for a document. */
  of(uri: string): Promise<EditorSettings>;
  /** The client's settings changed; `pushed` is what it sent along, if it cannot be asked. */
  changed(pushed: unknown): void;
  closed(uri: string): void;
}

/**
 * `ask` gives the section `fencepost` for a document, or is undefined for a client that cannot be
 * asked; then `initial` holds until the client sends others. `problem` is told once per sentence.
 */
export function clientSettings(ask: ((uri: string) => Promise<unknown>) | undefined, initial: unknown, problem: (sentence: string) => void): ClientSettings {
  let pushed = initial;
  const byUri = new Map<string, Promise<EditorSettings>>();
  // Answers are kept per settings object, so two documents or two questions with equal settings must get the same one.
  const known = new Map<string, EditorSettings>();
  const told = new Set<string>();

  function read(given: unknown): EditorSettings {
    const key = JSON.stringify(given ?? null);
    const existing = known.get(key);
    if (existing) return existing;
    const { settings, problems } = readEditorSettings(given);
    for (const sentence of problems.filter((it) => !told.has(it))) {
      told.add(sentence);
      problem(sentence);
    }
    known.set(key, settings);
    return settings;
  }

  return {
    of(uri) {
      let settings = byUri.get(uri);
      if (!settings) {
        const given = ask ? ask(uri).catch((error: unknown) => (problem(`The editor did not tell the settings: ${String(error)}`), undefined)) : Promise.resolve(pushed);
        byUri.set(uri, (settings = given.then(read)));
      }
      return settings;
    },
    changed(sent) {
      byUri.clear();
      known.clear();
      if (sent !== undefined) pushed = sent;
    },
    closed: (uri) => void byUri.delete(uri),
  };
}
