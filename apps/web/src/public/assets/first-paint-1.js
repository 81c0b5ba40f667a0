// Runs before the first paint, so that a dark workspace does not flash white while the theme is on its way.
try {
  const last = JSON.parse(localStorage.getItem('last_look') || 'null');
  if (last) {
    document.documentElement.style.background = last.background;
    document.documentElement.style.colorScheme = last.mode;
  }
} catch (_) {
  // Storage is blocked in some frames; the page then starts on white.
}
