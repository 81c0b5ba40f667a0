/** The colours of an article that is a page of its own. */
export function lookOfPage() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const chosen = document.documentElement.dataset.mantineColorScheme;
  return {
    text: colour('--article-ink'),
    surface: colour('--article-page'),
    border: colour('--article-line'),
    isDark: chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches,
  };
}
