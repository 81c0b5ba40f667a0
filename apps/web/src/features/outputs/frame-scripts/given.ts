export interface Look {
  text: string;
  surface: string;
  border: string;
  isDark: boolean;
}

interface Given {
  spec: unknown;
  look: Look;
  mode: string;
  element: HTMLElement;
}

/** What the page has put into the frame beside this script. */
export function given(): Given {
  const element = document.getElementById('chart') ?? document.body;
  const text = document.getElementById('given')?.textContent ?? '{}';
  return { ...(JSON.parse(text) as Omit<Given, 'element'>), element };
}
