/** What runs in the page itself, as text: the checker of this folder does not know browsers. */

/** From each key to the frame after it, in `window.keyTimes`. */
export const noteKeys = `
  window.keyTimes = [];
  document.addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.keyTimes.push(performance.now() - timeStamp);
      port2.postMessage(null);
    });
  }, { capture: true });
`;

/** The time of each frame, in `window.frames`. */
export const noteFrames = `
  window.frames = [];
  const note = (time) => { window.frames.push(time); requestAnimationFrame(note); };
  requestAnimationFrame(note);
`;

/**
 * From Enter until a run of another number shows what is expected, painted: in `window.shown`, listening before it is pressed.
 * Nothing is polled, which would take its own time; a size that is new is told in the very frame that is then painted.
 */
export const untilShown = `({ count, outputs, before, expected }) => void (window.shown = new Promise((resolve, reject) => {
  const shown = () => [count, outputs].map((each) => document.querySelector(each)?.textContent).join(' | ');
  setTimeout(() => reject(new Error('Nothing new was shown after ' + before + ': ' + shown())), 60_000);
  const begin = ({ timeStamp, key }) => {
    if (key !== 'Enter') return;
    document.removeEventListener('keydown', begin, { capture: true });
    const changes = new MutationObserver(() => {
      const now = document.querySelector(count)?.textContent ?? '';
      const isDone = /\\d/.test(now) && now !== before;
      if (!isDone || !document.querySelector(outputs)?.textContent?.includes(expected)) return;
      changes.disconnect();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now() - timeStamp);
      const frame = new ResizeObserver(() => {
        frame.disconnect();
        port2.postMessage(null);
      });
      frame.observe(document.querySelector(outputs));
    });
    changes.observe(document.body, { subtree: true, childList: true, characterData: true });
  };
  document.addEventListener('keydown', begin, { capture: true });
}))`;
