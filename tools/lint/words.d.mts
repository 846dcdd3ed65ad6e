/** Types of words.mjs. */
export const languageWords: readonly string[];
