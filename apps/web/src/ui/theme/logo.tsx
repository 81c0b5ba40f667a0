import classes from './logo.module.css';
import { useMode, useTheme } from './theme-context.tsx';

/** The owner's mark; without one, the initial of the name on the primary colour. */
export function LogoMark({ size = 24 }: { size?: number }) {
  const { logo, dark_logo, name } = useTheme();
  const { mode } = useMode();
  const source = (mode === 'dark' && dark_logo) || logo;
  if (source) return <img className={classes.picture} src={source} alt="" width={size} height={size} />;
  return (
    <span className={classes.initial} style={{ width: size, height: size, fontSize: size * 0.54 }} aria-hidden>
      {initialOf(name)}
    </span>
  );
}

export function LogoWithName({ size = 24 }: { size?: number }) {
  const { logo_with_name, dark_logo_with_name, dark_logo, name } = useTheme();
  const { mode } = useMode();
  // A dark logo without a wide one stands beside the name.
  const source = mode === 'dark' ? (dark_logo_with_name ?? (dark_logo ? null : logo_with_name)) : logo_with_name;
  if (source) return <img className={classes.wide} src={source} alt={name} style={{ height: size }} />;
  return (
    <span className={classes.lockup}>
      <LogoMark size={size} />
      <span className={classes.name}>{name}</span>
    </span>
  );
}

export const initialOf = (name: string): string => (name.trim()[0] ?? '•').toUpperCase();
