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

/** What the host offers: the specs of all its providers. */
export interface KernelKind extends KernelSpec {
  /** `provider.spec`, such as `local.python3`. */
  id: string;
  provider: KernelProvider['name'];
}

export interface OpenRequest {
  /** Made by the caller; asking twice opens one kernel. */
  id: string;
  kind: string;
  environment: Record<string, string>;
  limits: KernelLimits;
  hasNetwork: boolean;
  /** Whose packages it has, and the lines of its requirements.txt. */
  project?: { id: string; requirements: string[] } | null;
}

export interface HostKernel {
  id: string;
  kind: string;
  state: KernelState;
  /** Its working folder, on the machine of the host; null where the kernel is elsewhere. */
  folder: string | null;
  /** The newest event; what was stored is kept no longer. */
  lastSequence: number;
  /** What it can beyond running one execution after another: `subshells`. Empty until it has started. */
  features: string[];
  /** As it was opened with: what is hidden in what it shows stays hidden, whatever has changed since. */
  environment: Record<string, string>;
}

export interface HostExecution extends ExecuteRequest {
  /** How long it may take; then it is interrupted, and soon after the kernel is stopped. */
  limitMs: number | null;
  /** Then it is interrupted only: nobody loses what is in the kernel for a question. */
  onlyInterrupts?: boolean;
  /** Whatever the caller has to know of it; told again with `accepted`. */
  note?: unknown;
}

/** Why an execution was ended by the host: it took too long, or went on showing what nobody takes. Null by itself. */
export type Overrun = 'time' | 'output' | null;

export type HostEventBody =
  /** Before anything else is told of it, so that a server that was killed before it had stored it learns of it. */
  | { type: 'accepted'; executionId: string; note: unknown }
  | { type: 'message'; message: KernelMessage }
  /** Once, when it has started. */
  | { type: 'features'; features: string[] }
  | { type: 'state'; state: KernelState }
  | { type: 'finished'; executionId: string; result: ExecuteResult; milliseconds: number; overrun: Overrun }
  | { type: 'ended'; end: KernelEnd };

/** Kept, in order, until whoever follows the kernel has stored it. */
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
  /** Another one for each process: kernels of an earlier one are gone. */
  hostId: string;
  providers: { name: KernelProvider['name']; isAvailable: boolean; detail: string; isSandboxed?: boolean }[];
  /** The Python environment of our own. */
  python: Preparation;
  kernels: number;
}

/** Owns kernels, and keeps what they say until it has been stored. */
export interface KernelHost {
  kinds(): Promise<KernelKind[]>;
  status(): Promise<HostStatus>;
  kernels(): Promise<HostKernel[]>;
  /** Answers at once; the state tells when it is ready. Files can be put into its folder from now on. */
  open(request: OpenRequest): Promise<HostKernel>;
  /** After files were put into the folder: they become the kernel's own. */
  handOver(id: string): Promise<void>;
  /** Everything after this sequence is told, then what comes. */
  follow(id: string, after: number): Promise<void>;
  /** All up to this sequence need not be kept. */
  stored(id: string, sequence: number): void;
  /** Accepted, and done once, however often the same id is sent. The end comes as an event. */
  execute(id: string, execution: HostExecution): Promise<void>;
  /** From its beginning. */
  allow(id: string, executionId: string, limitMs: number | null): Promise<void>;
  /** Nothing it shows is told any more, but errors; one that goes on for very long is interrupted. */
  mute(id: string, executionId: string): Promise<void>;
  complete(id: string, code: string, cursor: number): Promise<Completion>;
  inspect(id: string, code: string, cursor: number, detail: 0 | 1): Promise<Fields | null>;
  comm(id: string, message: CommMessage): Promise<void>;
  reply(id: string, value: string): Promise<void>;
  /** All that runs in it, or only this execution. */
  interrupt(id: string, executionId?: string): Promise<void>;
  restart(id: string): Promise<void>;
  stop(id: string): Promise<void>;
  usage(id: string): Promise<KernelUsage | null>;
  onEvents(listener: (events: HostEvent[]) => void): () => void;
  /** This connection is gone; the host, and its kernels, may still be there. */
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
