// For pages that show embeds: each frame becomes as tall as what is in it.
(() => {
  const tallest = 20_000;
  const frames = () => document.querySelectorAll('iframe[data-atoll-embed]');
  addEventListener('message', ({ source, data }) => {
    if (data?.type !== 'atoll:embed-height' || !(data.height >= 0)) return;
    for (const frame of frames())
      if (frame.contentWindow === source) frame.style.height = `${Math.min(data.height, tallest)}px`;
  });
  // Those that were there before have told already.
  for (const frame of frames()) frame.contentWindow?.postMessage({ type: 'atoll:embed-measure' }, '*');
})();
