import type {
  CommMessage,
  Completion,
  ExecuteRequest,
  ExecuteResult,
  Fields,
  KernelEnd,
  KernelLimits,
  KernelMessage,
  KernelProvider,
  KernelSpec,
  KernelState,
} from '../port.ts';

/** The kernels of the host: the specs of all its providers. */
export interface KernelKind extends KernelSpec {
  /** `provider.spec`, such as `local.python3`. */
  id: string;
  provider: KernelProvider['name'];
}

export interface OpenRequest {
  /** The caller creates it; a repeated request opens one kernel. */
  id: string;
  kind: string;
  environment: Record<string, string>;
  limits: KernelLimits;
  hasNetwork: boolean;
  /** The project whose packages it gets, and the lines of its requirements.txt. */
  project?: { id: string; requirements: string[] } | null;
}

export interface HostKernel {
  id: string;
  kind: string;
  state: KernelState;
  /** Its working folder, on the machine of the host; null where the kernel is remote. */
  folder: string | null;
  /** The newest event; stored events are not kept. */
  lastSequence: number;
  /** Its abilities beyond running one execution after another: `subshells`. Empty until it has started. */
  features: string[];
  /** The initial environment, so that its values stay masked in outputs, whatever has changed since. */
  environment: Record<string, string>;
}

export interface HostExecution extends ExecuteRequest {
  /** The time limit; then it is interrupted, and soon after the kernel is stopped. */
  limitMs: number | null;
  /** The time limit only interrupts it, so that a question cannot cost the kernel's state. */
  onlyInterrupts?: boolean;
  /** Data of the caller, returned with `accepted`. */
  note?: unknown;
}

/** The reason why the host ended an execution: it took too long, or had too much output after muting. Null without one. */
export type Overrun = 'time' | 'output' | null;

export type HostEventBody =
  /** Sent before all other events, so that a server that was killed before it stored the execution learns of it. */
  | { type: 'accepted'; executionId: string; note: unknown }
  | { type: 'message'; message: KernelMessage }
  /** Sent once, when it has started. */
  | { type: 'features'; features: string[] }
  | { type: 'state'; state: KernelState }
  | { type: 'finished'; executionId: string; result: ExecuteResult; milliseconds: number; overrun: Overrun }
  | { type: 'ended'; end: KernelEnd };

/** Kept, in order, until the follower of the kernel has stored it. */
export type HostEvent = HostEventBody & { kernelId: string; sequence: number; at: number };

export interface KernelUsage {
  memoryBytes: number;
  cpuSeconds: number;
  processes: number;
}

export interface Preparation {
  state: 'ready' | 'preparing' | 'failed' | 'absent';
  /** 0 to 1. */
  progress: number | null;
  message: string | null;
}

export interface HostStatus {
  /** A new id for each process: kernels of an earlier one are gone. */
  hostId: string;
  providers: { name: KernelProvider['name']; isAvailable: boolean; detail: string; isSandboxed?: boolean }[];
  /** The state of our own Python environment. */
  python: Preparation;
  kernels: number;
}

/** Owns kernels, and keeps their events until they are stored. */
export interface KernelHost {
  kinds(): Promise<KernelKind[]>;
  status(): Promise<HostStatus>;
  kernels(): Promise<HostKernel[]>;
  /** Returns at once; the state changes when it is ready. Files can be put into its folder from now on. */
  open(request: OpenRequest): Promise<HostKernel>;
  /** Call it after files were put into the folder: they become the kernel's own. */
  handOver(id: string): Promise<void>;
  /** Sends all events after this sequence, then new ones. */
  follow(id: string, after: number): Promise<void>;
  /** Events up to this sequence need not be kept. */
  stored(id: string, sequence: number): void;
  /** Resolves when it is accepted. It runs once, however often the same id is sent; its end is an event. */
  execute(id: string, execution: HostExecution): Promise<void>;
  /** Changes the limit, counted from the execution's beginning. */
  allow(id: string, executionId: string, limitMs: number | null): Promise<void>;
  /** Publishes no more of its output except errors; an execution that continues for very long is interrupted. */
  mute(id: string, executionId: string): Promise<void>;
  complete(id: string, code: string, cursor: number): Promise<Completion>;
  inspect(id: string, code: string, cursor: number, detail: 0 | 1): Promise<Fields | null>;
  comm(id: string, message: CommMessage): Promise<void>;
  reply(id: string, value: string): Promise<void>;
  /** Interrupts all running executions, or only this one. */
  interrupt(id: string, executionId?: string): Promise<void>;
  restart(id: string): Promise<void>;
  stop(id: string): Promise<void>;
  usage(id: string): Promise<KernelUsage | null>;
  onEvents(listener: (events: HostEvent[]) => void): () => void;
  /** This connection is lost; the host and its kernels may still exist. */
  onLost(listener: () => void): () => void;
  /** Ends all kernels. */
  close(): Promise<void>;
}

export class UnknownKernel extends Error {
  constructor(id: string) {
    super(`There is no kernel ${id}`);
    this.name = 'UnknownKernel';
  }
}
