import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rarelyCollecting } from '../check.ts';
import { root } from '../steps.ts';

const copied = [
  'package.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'scripts/migration.ts',
  'scripts/steps.ts',
  'packages',
  'apps/server',
  'apps/web',
];
const isLeftOut = /\/(node_modules|dist|data|\.cache)$|\.test\.tsx?$/;

export interface ListLine {
  path: string;
  opening: string;
  name: string;
  from: string;
  line?: string;
}

/** The product in a folder of its own, where a recipe can be followed. What is installed is shared. */
export class ProductCopy {
  private readonly folder = mkdtempSync(join(tmpdir(), 'recipe-'));
  readonly #ending = new AbortController();

  constructor() {
    for (const path of copied)
      cpSync(join(root, path), this.#at(path), { recursive: true, filter: (from) => !isLeftOut.test(from) });
    const modules = join(root, 'node_modules');
    mkdirSync(this.#at('node_modules/@atoll'), { recursive: true });
    for (const name of readdirSync(modules))
      if (name !== '@atoll') symlinkSync(join(modules, name), this.#at(join('node_modules', name)));
    // Ours are those of the copy.
    for (const place of ['packages', 'apps'])
      for (const name of readdirSync(this.#at(place)))
        symlinkSync(this.#at(join(place, name)), this.#at(`node_modules/@atoll/${name}`));
  }

  #at(path: string): string {
    return join(this.folder, path);
  }

  add(from: string, path: string): void {
    mkdirSync(dirname(this.#at(path)), { recursive: true });
    cpSync(from, this.#at(path), { recursive: true });
  }

  write(path: string, content: string): void {
    writeFileSync(this.#at(path), content);
  }

  /** A feature's line in a list, which begins with `opening`, and the import of what it names. */
  list({ path, opening, name, from, line = `${name},` }: ListLine): void {
    const [before, after, ...more] = readFileSync(this.#at(path), 'utf8').split(`\n${opening}\n`);
    if (before === undefined || after === undefined || more.length > 0)
      throw new Error(`${path} does not say "${opening}" once`);
    this.write(path, `import { ${name} } from '${from}';\n${before}\n${opening}\n  ${line}\n${after}`);
  }

  /** As in a terminal: nothing of the run of tests that this is part of goes along. */
  run(command: string, ...args: string[]): Promise<{ isGood: boolean; output: string }> {
    const own = Object.entries(process.env).filter(([key]) => !/^(VITEST|TEST|NODE_|npm_)/.test(key));
    const env = {
      ...Object.fromEntries(own),
      PATH: `${this.#at('node_modules/.bin')}:${process.env.PATH}`,
      npm_config_update_notifier: 'false',
      ...rarelyCollecting,
    };
    return new Promise((resolve) => {
      execFile(
        command,
        args,
        { cwd: this.folder, env, maxBuffer: 2 ** 26, signal: this.#ending.signal },
        (error, stdout, stderr) => resolve({ isGood: !error, output: stdout + stderr }),
      );
    });
  }

  /** Answers what it says; what it says is the reason when it fails. */
  async output(command: string, ...args: string[]): Promise<string> {
    const { isGood, output } = await this.run(command, ...args);
    if (!isGood) throw new Error(output);
    return output;
  }

  /** Ends what still runs in it. */
  remove(): void {
    this.#ending.abort();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
