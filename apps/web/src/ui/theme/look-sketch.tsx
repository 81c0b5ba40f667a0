import type { Palette } from '@atoll/contract/theme/entity';

/** A small drawing of the workspace in one mode's colours. */
export function LookSketch({ palette, radius }: { palette: Palette; radius: number }) {
  const corner = Math.min(8, radius);
  return (
    <svg viewBox="0 0 160 100" width="100%" aria-hidden style={{ display: 'block' }}>
      <title>A look</title>
      <rect x="0.5" y="0.5" width="159" height="99" rx={corner} fill={palette.background} stroke={palette.border} />
      <rect x="10" y="12" width="9" height="9" rx={corner / 3} fill={palette.primary} />
      <rect x="10" y="30" width="22" height="4" rx="2" fill={palette.text} opacity="0.8" />
      <rect x="10" y="40" width="17" height="4" rx="2" fill={palette.muted} opacity="0.55" />
      <rect x="10" y="50" width="20" height="4" rx="2" fill={palette.muted} opacity="0.55" />
      <rect x="42" y="8.5" width="109.5" height="83" rx={corner} fill={palette.surface} stroke={palette.border} />
      <rect x="53" y="20" width="46" height="6" rx="3" fill={palette.text} />
      <rect x="53" y="33" width="84" height="4" rx="2" fill={palette.muted} opacity="0.7" />
      <rect x="53" y="42" width="72" height="4" rx="2" fill={palette.muted} opacity="0.7" />
      <rect x="53" y="60" width="34" height="13" rx={corner / 2} fill={palette.primary} />
      <rect x="93.5" y="60.5" width="33" height="12" rx={corner / 2} fill="none" stroke={palette.border} />
    </svg>
  );
}
