import mermaid from 'mermaid';

let count = 0;

/** Draws a diagram; an invalid one stays as its source, with the reason. */
export async function drawDiagram(element: HTMLElement, isDark: boolean): Promise<void> {
  const source = element.dataset.source ?? element.textContent ?? '';
  element.dataset.source = source;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: isDark ? 'dark' : 'neutral',
    fontFamily: 'inherit',
    maxTextSize: 50_000,
  });
  const id = `diagram-${count++}`;
  try {
    const { svg } = await mermaid.render(id, source);
    element.innerHTML = svg;
    element.dataset.drawn = '';
  } catch (error) {
    document.getElementById(`d${id}`)?.remove();
    const reason = document.createElement('p');
    reason.textContent = `This diagram could not be drawn: ${error instanceof Error ? error.message : 'unknown reason'}`;
    const pre = document.createElement('pre');
    pre.textContent = source;
    element.replaceChildren(reason, pre);
  }
}
