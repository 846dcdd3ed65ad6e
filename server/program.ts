/** The entry of the server as a program of its own; the command starts it from within. */
import { startServer } from './main.ts';

startServer();
