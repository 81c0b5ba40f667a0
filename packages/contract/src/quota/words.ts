/** A length of time as people say it: `3 h 20 min`. What is not whole is left off, so that nothing is promised. */
export function timeInWords(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours === 0) return minutes === 0 ? `${Math.floor(seconds)} s` : `${minutes} min`;
  return [`${hours.toLocaleString('en')} h`, minutes > 0 ? `${minutes} min` : ''].join(' ').trim();
}
