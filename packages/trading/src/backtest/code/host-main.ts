import { FramePipes } from '../hosts/frames.ts';
import { noBytes } from '../hosts/host.ts';
import { StrategyHost } from './strategy-host.ts';

/** Runs one strategy: questions come from the one pipe, answers go into the other. */
const pipes = new FramePipes(0, 1);
const host = new StrategyHost(null);
for (let frame = pipes.read(); frame; frame = pipes.read()) {
  const { message, payload } = host.answer(frame);
  pipes.write(message, payload ?? noBytes);
}
