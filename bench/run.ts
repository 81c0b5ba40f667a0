import { admin } from './admin.ts';
import { ai } from './ai.ts';
import { canvas } from './canvas.ts';
import { channels } from './channels.ts';
import { data } from './data.ts';
import { jobs } from './jobs.ts';
import { kernels } from './kernels.ts';
import { me } from './me.ts';
import { notebook } from './notebook.ts';
import { page } from './page.ts';
import { people } from './people.ts';
import { projects } from './projects.ts';
import { publications } from './publications.ts';
import { realtime } from './realtime.ts';
import { holds, line, type Result } from './report.ts';
import { reports } from './reports.ts';
import { runs } from './runs.ts';
import { schedules } from './schedules.ts';
import { soak } from './soak.ts';
import { start } from './start.ts';
import { strategies } from './strategies.ts';
import { trading } from './trading.ts';
import { tree } from './tree.ts';
import { upload } from './upload.ts';
import { wallet } from './wallet.ts';

// Named, or one that has more would be made beside what is measured.
process.env.ATOLL_PYTHON ??= '/usr/bin/python3';
// Kernels wait for the next start of a server that was killed, which never comes here.
process.env.ATOLL_KERNEL_GRACE ??= '30';

/** `npm run bench [name]`: every benchmark, or those named; ends with 1 when a limit is passed. */
const benchmarks: Record<string, () => Promise<Result[]>> = {
  start,
  me,
  page,
  projects,
  publications,
  reports,
  people,
  tree,
  upload,
  data,
  channels,
  jobs,
  realtime,
  kernels,
  runs,
  schedules,
  notebook,
  soak,
  canvas,
  wallet,
  trading,
  strategies,
  admin,
  ai,
};
const wanted = process.argv.slice(2);
let allHold = true;
for (const [name, measure] of Object.entries(benchmarks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n▸ ${name}`);
  for (const result of await measure()) {
    console.log(line(result));
    allHold &&= holds(result);
  }
}
process.exit(allHold ? 0 : 1);
