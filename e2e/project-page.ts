import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** What the journeys through files in projects have in common. */

export const editor = (page: Page) => page.getByRole('textbox', { name: /^Text of/ });
export const saved = (page: Page) => expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();
export const line = (page: Page, name: string) => page.getByRole('treeitem', { name });
export const people = (page: Page) => page.getByRole('group', { name: 'People here' });

export async function typeAtStart(page: Page, text: string): Promise<void> {
  await editor(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(text);
}

export async function rename(page: Page, from: string, to: string): Promise<void> {
  await line(page, from).click();
  await page.getByRole('tree').focus();
  await page.keyboard.press('F2');
  await page.getByLabel('New name').fill(to);
  await page.keyboard.press('Enter');
  await expect(line(page, to)).toBeVisible();
}
