import { useTheme } from '../../ui/theme/theme-context.tsx';
import classes from './watermark.module.css';

/** At the foot of what everyone can read, where the installation has one. */
export function Watermark() {
  const { light_watermark: light, dark_watermark: dark } = useTheme();
  return (
    <>
      {light && <img src={light} alt="" className={classes.watermark} data-for="light" />}
      {dark && <img src={dark} alt="" className={classes.watermark} data-for="dark" />}
    </>
  );
}
