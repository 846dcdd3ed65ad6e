/** The connections that every job uses. */
import { Redis } from 'ioredis';
import { Pool } from 'pg';

export const redis = new Redis(process.env.REDIS_URL ?? 'redis://localhost:6379');
export const pool = new Pool({ connectionString: process.env.DATABASE_URL });
