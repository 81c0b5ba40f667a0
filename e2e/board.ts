import type { Locator, Page } from '@playwright/test';

export const placed = (
  cell: { metadata: Record<string, unknown> },
  x: number,
  y: number,
  more: Record<string, unknown> = {},
) => ({
  ...cell,
  metadata: {
    ...cell.metadata,
    atoll: { ...(cell.metadata.atoll as object), place: { x, y, w: 320, h: 160, ...more } },
  },
});

export const board = (page: Page): Locator => page.getByRole('region', { name: 'Board', exact: true });
export const thing = (page: Page, id: string): Locator => page.locator(`[data-thing="${id}"]`);
export const kind = (page: Page, name: string): Locator => page.locator(`[data-thing][data-kind="${name}"]`);
export const selection = (page: Page): Locator => page.getByRole('toolbar', { name: 'Selection' });

export async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not on the screen');
  return box;
}

export async function drag(page: Page, from: { x: number; y: number }, dx: number, dy: number): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + dx / 2, from.y + dy / 2);
  await page.mouse.move(from.x + dx, from.y + dy);
  await page.mouse.up();
}

/** Nothing is near that it could snap to, at this zoom. */
export const withoutSnapping = async (page: Page, work: () => Promise<void>) => {
  await page.keyboard.down('Alt');
  await work();
  await page.keyboard.up('Alt');
};
