import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import type { Figures } from './figures.ts';
import { root } from './steps.ts';

export const vitestFigures = join(root, '.cache/vitest-figures.json');

/** Vitest's own report does not say which project a file was tested in, and some are tested in two. */
export default class FiguresReporter implements Reporter {
  readonly #suites = new Map<string, Figures & { startedAt: number }>();

  onTestModuleStart({ project: { name } }: TestModule): void {
    if (this.#suites.has(name)) return;
    this.#suites.set(name, { suite: name, tests: 0, seconds: 0, files: [], startedAt: performance.now() });
  }

  onTestModuleEnd(module: TestModule): void {
    const figures = this.#suites.get(module.project.name);
    if (!figures) return;
    figures.tests += [...module.children.allTests()].length;
    figures.seconds = (performance.now() - figures.startedAt) / 1000;
    figures.files.push({ name: relative(root, module.moduleId), seconds: module.diagnostic().duration / 1000 });
  }

  onTestRunEnd(): void {
    writeFileSync(vitestFigures, JSON.stringify([...this.#suites.values()]));
  }
}
