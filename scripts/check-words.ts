import { readFileSync, writeFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { riddles } from './riddles.ts';
import { root } from './steps.ts';

/**
 * Counts riddles in comments, texts and pages, folder by folder. A folder may have as many as `words-ceilings.json` says, and a
 * folder that is not in it may have none. `node scripts/check-words.ts --lower` lowers the ceilings to what there is.
 */
const ceilingsFile = join(root, 'scripts/words-ceilings.json');
const sources = '{apps,packages,e2e,bench,scripts}/**/*.{ts,tsx}';
const pages = '{docs/**/*.md,README.md,CONTRIBUTING.md}';
const isLeftOut = (path: string) => /(^|\/)(node_modules|dist|migrations)(\/|$)|\.gen\.ts$|riddles\.ts$/.test(path);

/** Comments, quoted texts, and words between tags. */
const prose = /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|>[^<>{}=;]+</g;

const countRiddles = (text: string): number =>
  riddles.reduce((sum, { pattern }) => sum + (text.match(pattern)?.length ?? 0), 0);

/** A feature, a part of the platform, or a package. */
function folderOf(path: string): string {
  const parts = path.split('/').slice(0, -1);
  const depth = parts[0] === 'apps' ? (parts[3] === 'features' || parts[3] === 'platform' ? 5 : 4) : 2;
  return parts.slice(0, depth).join('/') || '.';
}

async function countFolders(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const path of glob([sources, pages], { cwd: root, exclude: isLeftOut })) {
    if (isLeftOut(path)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    const count = countRiddles(path.endsWith('.md') ? text : (text.match(prose) ?? []).join('\n'));
    const folder = folderOf(path);
    counts.set(folder, (counts.get(folder) ?? 0) + count);
  }
  return counts;
}

const counts = await countFolders();
const ceilings = JSON.parse(readFileSync(ceilingsFile, 'utf8')) as Record<string, number>;
const tooMany = [...counts].filter(([folder, count]) => count > (ceilings[folder] ?? 0));
for (const [folder, count] of tooMany)
  console.log(`${folder}: ${count} words of riddles, at most ${ceilings[folder] ?? 0}`);
if (tooMany.length > 0) for (const { pattern, instead } of riddles) console.log(`  ${pattern.source} → ${instead}`);
if (process.argv.includes('--lower')) {
  const lowered = [...counts].map(([folder, count]) => [folder, Math.min(count, ceilings[folder] ?? 0)] as const);
  const kept = lowered.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(ceilingsFile, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}
process.exitCode = tooMany.length > 0 ? 1 : 0;
