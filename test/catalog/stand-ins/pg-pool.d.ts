/** pg-pool ships no types: it is the pool that `@types/pg` describes. */
declare module 'pg-pool' {
  import { Pool } from 'pg';
  export default class PgPool extends Pool {}
}
