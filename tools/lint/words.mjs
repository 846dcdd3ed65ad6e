/** Names of packages that are words of a language as well, and so may be said in the model. */

/** SQL dialects, Lua's own global, and names of the platform. */
export const languageWords = ['mysql', 'mssql', 'sqlite', 'postgres', 'redis', 'process', 'debug', 'fs', 'os', 'timers', 'crypto', 'events', 'util', 'stream', 'bson'];
