import type { ReactNode } from 'react';

const main = 'var(--mantine-primary-color-filled)';
const soft = 'var(--mantine-primary-color-light)';
const ink = 'var(--ink-muted)';
const line = 'var(--line-strong)';

const axes = <path d="M18 12V78H146" fill="none" stroke={line} />;
/** One path of many bars: from where, and how high each is. */
const bars = (heights: number[], from: number, step: number, width: number, fill = main) => (
  <path d={heights.map((height, n) => `M${from + n * step} 78v-${height}h${width}v${height}z`).join('')} fill={fill} />
);
const words = (y: number, width: number) => (
  <rect key={y} x="18" y={y} width={width} height="4" rx="2" fill={ink} opacity="0.45" />
);

/** What each template shows when it has run, in the theme's own colours. */
const pictures: Record<string, ReactNode> = {
  'explore-csv': (
    <>
      <rect x="18" y="12" width="128" height="14" fill={soft} />
      {[26, 40, 54, 68].map((y) => (
        <path key={y} d={`M18 ${y}H146`} stroke={line} />
      ))}
      {[50, 82, 114].map((x) => (
        <path key={x} d={`M${x} 12V82`} stroke={line} />
      ))}
      <path d="M86 74L96 66 104 70 114 58 124 62 142 46" fill="none" stroke={main} strokeWidth="2.5" />
    </>
  ),
  charts: (
    <>
      {axes}
      <path d="M18 72C44 52 66 74 90 54S126 52 146 46V78H18Z" fill={soft} />
      <path d="M18 66C38 20 52 20 68 48S104 78 146 22" fill="none" stroke={main} strokeWidth="2.5" />
    </>
  ),
  inputs: (
    <>
      {[22, 38].map((y, index) => (
        <g key={y}>
          <path d={`M18 ${y}H62`} stroke={line} strokeWidth="3" strokeLinecap="round" />
          <circle cx={index ? 32 : 50} cy={y} r="5" fill={main} />
        </g>
      ))}
      <rect x="18" y="52" width="44" height="12" rx="3" fill="none" stroke={line} />
      {bars([20, 34, 48, 40, 58], 78, 14, 9)}
    </>
  ),
  sql: (
    <>
      <text x="18" y="30" fontSize="11" fontFamily="monospace" fill={main}>
        SELECT
      </text>
      <text x="18" y="46" fontSize="11" fontFamily="monospace" fill={ink}>
        FROM sales
      </text>
      <rect x="18" y="56" width="128" height="10" fill={soft} />
      <path d="M18 56H146V80H18ZM18 66H146M60 56V80M104 56V80" fill="none" stroke={line} />
    </>
  ),
  forecast: (
    <>
      {axes}
      <path d="M98 44L146 16V48L98 46Z" fill={soft} />
      <path d="M18 68L32 58 44 64 58 50 72 56 86 40 98 45" fill="none" stroke={main} strokeWidth="2.5" />
      <path d="M98 45L112 34 126 38 146 30" fill="none" stroke={main} strokeWidth="2.5" strokeDasharray="4 4" />
    </>
  ),
  'canvas-analysis': (
    <>
      <rect x="16" y="14" width="42" height="28" rx="3" fill={soft} stroke={line} />
      <rect x="76" y="12" width="46" height="32" rx="3" fill="none" stroke={line} />
      <path d="M82 38L92 28 102 32 116 18" fill="none" stroke={main} strokeWidth="2.5" />
      <path d="M58 28H74M122 30L134 56" fill="none" stroke={ink} />
      <rect x="112" y="56" width="34" height="24" rx="3" fill={main} />
      <rect x="76" y="54" width="22" height="22" fill={soft} />
      {words(56, 42)}
      {words(66, 30)}
    </>
  ),
  'canvas-dashboard': (
    <>
      {[18, 52, 86, 120].map((x) => (
        <rect key={x} x={x} y="12" width="28" height="18" rx="3" fill={soft} />
      ))}
      <rect x="18" y="36" width="78" height="44" rx="3" fill="none" stroke={line} />
      <path d="M22 74L36 58 50 64 66 48 92 54V76H22Z" fill={main} opacity="0.6" />
      <rect x="102" y="36" width="46" height="44" rx="3" fill="none" stroke={line} />
      <path d="M106 46H140M106 56H128M106 66H134" stroke={main} strokeWidth="5" />
    </>
  ),
  'canvas-workshop': (
    <>
      {[16, 64, 112].map((x) => (
        <rect key={x} x={x} y="14" width="40" height="66" rx="3" fill="none" stroke={line} />
      ))}
      <rect x="20" y="20" width="14" height="14" fill={main} />
      <rect x="38" y="20" width="14" height="14" fill={soft} />
      <rect x="20" y="38" width="14" height="14" fill={soft} />
      <rect x="68" y="20" width="14" height="14" fill={soft} />
      <rect x="86" y="38" width="14" height="14" fill={main} />
      <rect x="116" y="20" width="32" height="14" fill={soft} />
      <path d="M100 45H116" stroke={ink} fill="none" />
    </>
  ),
  report: (
    <>
      <rect x="18" y="12" width="62" height="7" rx="3" fill={ink} />
      {words(26, 128)}
      {words(35, 112)}
      {bars([14, 20, 12, 26, 30], 18, 12, 8, soft)}
      <path d="M92 78A20 20 0 1 1 112 58H92Z" fill={main} />
    </>
  ),
  vlsm: (
    <>
      <rect x="18" y="16" width="128" height="16" fill={soft} />
      <rect x="18" y="38" width="64" height="16" fill={main} />
      <rect x="84" y="38" width="30" height="16" fill={main} opacity="0.65" />
      <rect x="116" y="38" width="30" height="16" fill={main} opacity="0.35" />
      <path d="M18 60H82M84 60H114M116 60H146" stroke={line} strokeWidth="2" />
    </>
  ),
};

/** Candles of a course that the name decides, so that no two strategies look the same. */
function Candles({ name }: { name: string }) {
  let seed = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2_147_483_647, 7);
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  let price = 34 + next() * 20;
  const candles = Array.from({ length: 14 }, (_, index) => {
    const open = price;
    price = Math.min(74, Math.max(16, price + (next() - 0.5) * 22));
    return { x: 20 + index * 9.2, open, close: price, wick: 3 + next() * 5 };
  });
  const average = candles.map(({ x }, index) => {
    const window = candles.slice(Math.max(0, index - 3), index + 1);
    return `${index === 0 ? 'M' : 'L'}${x} ${window.reduce((sum, { close }) => sum + close, 0) / window.length}`;
  });
  return (
    <>
      {candles.map(({ x, open, close, wick }) => (
        <g key={x} fill={close < open ? main : line} stroke={close < open ? main : line}>
          <path d={`M${x} ${Math.min(open, close) - wick}V${Math.max(open, close) + wick}`} />
          <rect x={x - 2.5} y={Math.min(open, close)} width="5" height={Math.max(1, Math.abs(close - open))} />
        </g>
      ))}
      <path d={average.join('')} fill="none" stroke={ink} strokeWidth="1.5" />
    </>
  );
}

export function TemplatePicture({ name }: { name: string }) {
  return (
    <svg viewBox="0 0 164 90" width="100%" aria-hidden style={{ display: 'block' }}>
      <title>{name}</title>
      {pictures[name] ?? (name.startsWith('strategy-') ? <Candles name={name} /> : pictures.charts)}
    </svg>
  );
}
