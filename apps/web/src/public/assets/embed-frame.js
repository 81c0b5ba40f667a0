// In the embed: tells the page around it how tall it is, whenever that changes and when it is asked.
if (parent !== window) {
  const content = document.getElementById('page');
  const tell = () =>
    parent.postMessage(
      { type: 'atoll:embed-height', id: location.pathname, height: Math.ceil(content.getBoundingClientRect().height) },
      '*',
    );
  new ResizeObserver(tell).observe(content);
  // A frame out of sight is not drawn, and sizes are observed only when it is.
  new MutationObserver(tell).observe(content, { childList: true, subtree: true, attributeFilter: ['style'] });
  addEventListener('load', tell);
  addEventListener('message', ({ source, data }) => {
    if (source === parent && data?.type === 'atoll:embed-measure') tell();
  });
}
