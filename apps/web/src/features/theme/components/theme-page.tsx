export function ThemePage() {
  return null;
}
