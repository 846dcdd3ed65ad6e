/** Names of packages that are words of a language as well, and so may be said in the model. */

/** SQL dialects, and names that the platform has. */
export const languageWords = ['mysql', 'mssql', 'sqlite', 'process', 'fs', 'os', 'timers', 'crypto', 'events', 'util', 'stream'];
