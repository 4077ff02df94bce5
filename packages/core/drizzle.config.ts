import { defineConfig } from 'drizzle-kit';

// `npx drizzle-kit generate --name <what-changes>` in this folder writes the next file of ./migrations from the schema.
export default defineConfig({
  dialect: 'mysql',
  schema: './src/db/schema.ts',
  out: './migrations',
});
