import { useLayoutEffect, useRef, useState } from 'react';
import { getRootPath } from '../../../platform/http.ts';
import classes from './outputs.module.css';

interface SandboxFrameProps {
  /** A whole page. */
  content: string;
  title: string;
  /** Taller than this it scrolls inside. */
  tallest: number;
  /** Until it has said how tall it is. */
  first?: number;
}

/** In a frame that is nobody's origin and has no network, as tall as what is in it. */
export function SandboxFrame({ content, title, tallest, first = 1 }: SandboxFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(first);
  // Before the frame can load: an effect that waits for a busy page comes after its only "ready".
  useLayoutEffect(() => {
    const hear = ({ source, data }: MessageEvent) => {
      const inside = frame.current?.contentWindow;
      if (!inside || source !== inside) return;
      // The frame has no origin of its own that could be named.
      if (data === 'ready') inside.postMessage(content, '*');
      else if (typeof data?.height === 'number') setHeight(Math.max(0, Math.min(data.height, tallest)));
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, [content, tallest]);
  return (
    <iframe
      key={content}
      ref={frame}
      title={title}
      sandbox="allow-scripts"
      src={`${getRootPath()}/assets/output-frame-3.html`}
      className={classes.frame}
      style={{ height }}
    />
  );
}
