import type { ReactNode } from 'react';

interface FigureProps {
  name: string;
  direction?: 'up' | 'down' | undefined;
  children: ReactNode;
}

/** One in a list of figures. */
export const Figure = ({ name, direction, children }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd data-direction={direction}>{children}</dd>
  </div>
);
