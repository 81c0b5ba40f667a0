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
  /** Charts come one after the other, and go back as pictures. */
  isPrinted: boolean;
}

/** A chart that does not move, as the page around the frame prints it. */
export interface Still {
  picture: string;
  width: number;
  height: number;
}

export const element = document.getElementById('chart') ?? document.body;

/** What the page has put into the frame beside this script. */
export const given = JSON.parse(document.getElementById('given')?.textContent ?? '{}') as Given;

/** Draws what the page around the frame asks for. */
export function drawForPrint(draw: (spec: unknown) => Promise<Still>): void {
  addEventListener('message', async ({ source, data }) => {
    if (source !== parent) return;
    // Told, for the frame's own size may come later than this.
    element.style.width = `${data.width}px`;
    try {
      parent.postMessage(await draw(data.spec), '*');
    } catch (error) {
      parent.postMessage({ problem: error instanceof Error ? error.message : String(error) }, '*');
    }
  });
  parent.postMessage('drawing', '*');
}
