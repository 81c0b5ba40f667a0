import type { ThemeMode } from '@atoll/contract/fields';
import type { Theme } from '@atoll/contract/theme/entity';
import { textOn } from '../../ui/theme/colour.ts';
import './boot-screen.css';
import { hasStaticPage, removeStaticPage } from './static-page.ts';

/** Uses plain elements, so that the page shows something before the app has been downloaded. */
function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

const screen = (): HTMLElement | null => document.getElementById('boot');

/** The text of spec section 1, word for word, without the product's name, because no theme is loaded. */
export function showOops(retry: () => void): void {
  // A static page can be read without the app.
  if (hasStaticPage()) return;
  document.title = 'Oops...';
  const text = "Something went wrong on our end. We're already fixing it - please try again in a moment.";
  const button = element('button', 'boot-button', 'Try again');
  button.addEventListener('click', retry);
  screen()?.setAttribute('role', 'main');
  screen()?.replaceChildren(element('h1', 'boot-title', 'Oops...'), element('p', 'boot-text', text), button);
}

export function showLoading(theme: Theme, mode: ThemeMode): void {
  if (theme.hide_loader || hasStaticPage()) return;
  const palette = theme.palettes[mode];
  screen()?.style.setProperty('--boot-page', palette.background);
  screen()?.style.setProperty('--boot-ink', palette.text);
  screen()?.style.setProperty('--boot-muted', palette.muted);
  screen()?.style.setProperty('--boot-primary', palette.primary);
  screen()?.style.setProperty('--boot-on-primary', textOn(palette.primary));
  screen()?.replaceChildren(
    logo(theme),
    element('p', 'boot-title', theme.title || theme.name),
    element('p', 'boot-text', `${theme.name} is starting...`),
  );
}

function logo(theme: Theme): HTMLElement {
  if (!theme.logo) return element('span', 'boot-initial', theme.name.charAt(0).toUpperCase());
  const picture = element('img', 'boot-logo') as HTMLImageElement;
  picture.src = theme.logo;
  picture.alt = '';
  return picture;
}

export function hideBootScreen(): void {
  screen()?.remove();
  removeStaticPage();
}
