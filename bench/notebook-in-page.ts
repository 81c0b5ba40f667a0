/** What runs in the page itself, as text: the checker of this folder does not know browsers. */

/** From each key to the frame after it, in `window.keyTimes`. */
export const noteKeys = `
  window.keyTimes = [];
  document.addEventListener('keydown', (event) => {
    const began = event.timeStamp;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => window.keyTimes.push(performance.now() - began);
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

/** From Enter until a run of another number shows what is expected, painted: in `window.shown`, listening before it is pressed. */
export const untilShown = `({ count, outputs, before, expected }) => void (window.shown = new Promise((resolve, reject) => {
  const shown = () => [count, outputs].map((each) => document.querySelector(each)?.textContent).join(' | ');
  setTimeout(() => reject(new Error('Nothing new was shown after ' + before + ': ' + shown())), 60_000);
  document.addEventListener('keydown', ({ timeStamp, key }) => {
    if (key !== 'Enter') return;
    const look = () => {
      const now = document.querySelector(count)?.textContent ?? '';
      const isDone = /\\d/.test(now) && now !== before;
      if (isDone && document.querySelector(outputs)?.textContent?.includes(expected)) {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - timeStamp);
        port2.postMessage(null);
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, { capture: true });
}))`;
