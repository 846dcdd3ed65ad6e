/** The one export of the package, which has no types of its own. */
declare module 'dynalite' {
  import type { Server } from 'node:http';
  export default function dynalite(options: { createTableMs?: number }): Server;
}
