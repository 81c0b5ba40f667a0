import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { environment } from '../apps/server/src/environment.ts';
import { root } from './steps.ts';

/** `node scripts/configuration-page.ts`: writes docs/CONFIGURATION.md from the schema that reads the variables. */
const defaults = environment.safeParse({}).data as Record<string, unknown>;
const shown = (value: unknown) => {
  if (value === null || (Array.isArray(value) && value.length === 0)) return '';
  return typeof value === 'boolean' ? (value ? '`on`' : '`off`') : `\`${String(value)}\``;
};
const rows = Object.entries(environment.shape).map(
  ([name, schema]) => `| \`${name}\` | ${shown(defaults[name])} | ${schema.description} |`,
);
const page = `# Configuration

Everything is set by environment variables, or by a file \`.env\` beside \`package.json\` that \`npm start\` reads. Nothing is
required. A wrong value stops the start with one message that names every mistake.

| variable | default | what it does |
|---|---|---|
${rows.join('\n')}

The redirect address to register with an OAuth provider is \`ATOLL_URL/auth/github\`, \`/auth/google\`, \`/auth/microsoft\` or
\`/auth/oidc\`. Passkeys need \`ATOLL_URL\` to be https, or http on \`localhost\`. A Telegram bot opens the mini-app at
\`ATOLL_URL/tma\`.

This page is written by \`node scripts/configuration-page.ts\` from \`apps/server/src/environment.ts\`.
`;
writeFileSync(join(root, 'docs/CONFIGURATION.md'), page);
