import classes from './logo.module.css';
import { useTheme } from './theme-context.tsx';

/** The owner's mark; without one, the initial of the name on the primary colour. */
export function LogoMark({ size = 24 }: { size?: number }) {
  const { logo, name } = useTheme();
  if (logo) return <img className={classes.picture} src={logo} alt="" width={size} height={size} />;
  return (
    <span className={classes.initial} style={{ width: size, height: size, fontSize: size * 0.54 }} aria-hidden>
      {initialOf(name)}
    </span>
  );
}

export function LogoWithName({ size = 24 }: { size?: number }) {
  const { logo_with_name, name } = useTheme();
  if (logo_with_name) return <img className={classes.wide} src={logo_with_name} alt={name} style={{ height: size }} />;
  return (
    <span className={classes.lockup}>
      <LogoMark size={size} />
      <span className={classes.name}>{name}</span>
    </span>
  );
}

export const initialOf = (name: string): string => (name.trim()[0] ?? '•').toUpperCase();
