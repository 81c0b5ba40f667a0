import { useEffect, useRef, useState } from 'react';
import { getRootPath } from '../../../platform/http.ts';
import { useMode, useTheme } from '../../../ui/theme-context.tsx';
import classes from './outputs.module.css';

const tallest = 640;

/** In a frame that is nobody's origin and has no network, as tall as what is in it. */
export function HtmlOutput({ html }: { html: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(0);
  const theme = useTheme();
  const { mode } = useMode();
  const { text, surface, border } = theme.palettes[mode];
  const style = `:root{color-scheme:${mode};overflow-x:auto}
    body{margin:0;padding:4px 12px;font:13px/1.5 system-ui,sans-serif;color:${text};background:${surface}}
    table{border-collapse:collapse;font-size:12px}th,td{padding:3px 10px;border:1px solid ${border};text-align:right}
    img,svg,video{max-width:100%}`;
  const content = `<!doctype html><meta charset="utf-8"><style>${style}</style>${html}`;
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      const inside = frame.current?.contentWindow;
      if (!inside || source !== inside) return;
      // The frame has no origin of its own that could be named.
      if (data === 'ready') inside.postMessage(content, '*');
      else if (typeof data?.height === 'number') setHeight(Math.max(0, Math.min(data.height, tallest)));
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, [content]);
  return (
    <iframe
      key={content}
      ref={frame}
      title="Output of the cell"
      sandbox="allow-scripts"
      src={`${getRootPath()}/assets/output-frame-1.html`}
      className={classes.frame}
      style={{ height }}
    />
  );
}
