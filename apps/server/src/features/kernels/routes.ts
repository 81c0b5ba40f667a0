import { done, endpoints } from '../../platform/http/implement.ts';
import { chooseKernel, chosenKernel, listKernels, ramTiers } from './service/kernels.ts';
import { jupyterStats, myServers, myUsage, stopServer } from './service/servers.ts';
import { usageSummary } from './service/usage-summary.ts';

const { kernels } = endpoints;

export const kernelRoutes = {
  list: kernels.list.handler(({ context }) => listKernels(context)),
  getChosen: kernels.getChosen.handler(async ({ context }) => ({
    kernel: await chosenKernel(context, context.userId),
  })),
  choose: kernels.choose.handler(async ({ context, input }) => {
    await chooseKernel(context, input.kernel);
    return input;
  }),
  ramTiers: kernels.ramTiers.handler(async ({ context }) => ({ entries: await ramTiers(context) })),
  myServers: kernels.myServers.handler(({ context, input }) => myServers(context, input)),
  stopServer: kernels.stopServer.handler(({ context, input }) => done(stopServer(context, input.id))),
  usageSummary: kernels.usageSummary.handler(({ context, input }) => usageSummary(context, input.days)),
  myUsage: kernels.myUsage.handler(({ context, input }) => myUsage(context, input)),
  jupyterStats: kernels.jupyterStats.handler(({ context }) => jupyterStats(context)),
};
