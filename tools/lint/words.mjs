/** Names of packages that are words of a language as well, and so may be said in the model. */
import { builtinModules } from 'node:module';

/** SQL dialects, and the modules that Node itself has. */
export const languageWords = ['mysql', 'mssql', 'sqlite', ...builtinModules];
