import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What axe finds wrong with a page, one line for each rule; `except` for what is there many times over. */
export async function violationsOf(page: Page, except?: string): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] });
  if (except) axe.exclude(except);
  // To join what it finds in several frames, axe opens another page each time; most pages have only the one frame.
  const { violations } = await axe.setLegacyMode(page.frames().length === 1).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** Whatever is hovered over has its words beside the page. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.mouse.move(0, 0);
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  expect(await violationsOf(page)).toEqual([]);
}
