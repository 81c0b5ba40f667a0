import type { Notebook, NotebookKernel, NotebookMode, NotebookSettings } from '@atoll/contract';
import type { Hub } from './hub.ts';

/** Fields of the notebook as a whole: kernel, metadata and the like. */
export class About {
  kernel: NotebookKernel = {
    name: null,
    tier: 'l1',
    is_gpu: false,
    state: 'none',
    session_id: null,
    starter: null,
    started_at: null,
    end_message: null,
    features: [],
  };
  settings: NotebookSettings = { is_autorun_after_files_updated: false, is_parallel_execution_enabled: false };
  mode: NotebookMode = 'view';
  language = 'python';
  problems: string[] = [];
  private readonly hub: Hub;

  constructor(hub: Hub) {
    this.hub = hub;
  }

  load({ language, mode, problems, settings, kernel }: Notebook): void {
    this.language = language;
    this.problems = problems;
    this.hub.emit('problems');
    this.takeMode(mode);
    this.takeSettings(settings);
    this.takeKernel(kernel);
  }

  takeMode(mode: NotebookMode): void {
    this.mode = mode;
    this.hub.emit('mode');
  }

  takeSettings(settings: NotebookSettings): void {
    this.settings = settings;
    this.hub.emit('settings');
  }

  takeKernel(kernel: NotebookKernel): void {
    this.kernel = kernel;
    this.hub.emit('kernel');
  }
}
