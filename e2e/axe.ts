import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** What axe finds wrong with a page, one line for each rule. */
export async function violationsOf(page: Page): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  // To join what it finds in several frames, axe opens another page each time; most pages have only the one frame.
  const { violations } = await axe.setLegacyMode(page.frames().length === 1).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}
