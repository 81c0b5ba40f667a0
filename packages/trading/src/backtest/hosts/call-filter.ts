import { arch } from 'node:process';

/** The descriptor on which the sandbox of a host is given the filter. */
export const filterDescriptor = 9;

/** By machine: its name for seccomp, the number of fcntl, and the calls that leave a sign for others on the machine. */
const machines: Partial<Record<typeof arch, { name: number; fcntl: number; refused: number[] }>> = {
  // add_key, request_key, keyctl; flock; inotify_init, inotify_add_watch, inotify_init1; fanotify_init, fanotify_mark; mincore
  x64: { name: 0xc000003e, fcntl: 72, refused: [248, 249, 250, 73, 253, 254, 294, 300, 301, 27] },
  arm64: { name: 0xc00000b7, fcntl: 25, refused: [217, 218, 219, 32, 27, 26, 262, 263, 232] },
};
/** Locks of files, leases and notices of folders. */
const lockCommands = [5, 6, 7, 36, 37, 38, 1_024, 1_025, 1_026];

const [load, isEqual, isAtLeast, answer] = [0x20, 0x15, 0x35, 0x06];
const [allowed, refusedWith] = [0x7fff0000, 0x00050001];

/**
 * What the kernel refuses hosts, as a program of seccomp: keyrings, locks of files that all can read, and watching who opens
 * them. With these a process could tell another one, at the same time or later, what it knows. Nothing else of the machine
 * is shared. Empty on a machine whose numbers are not known.
 */
export function callFilter(): Buffer {
  const machine = machines[arch];
  if (!machine) return Buffer.alloc(0);
  const { name, fcntl, refused } = machine;
  /** Tests with where to go on when they hold: to the refusal, or to the commands of fcntl. */
  const steps: [code: number, value: number, to?: 'refuse' | 'fcntl' | 'unless'][] = [
    [load, 4],
    [isEqual, name, 'unless'],
    [load, 0],
    // Another numbering of the same calls.
    [isAtLeast, 0x40000000, 'refuse'],
    ...refused.map((call): [number, number, 'refuse'] => [isEqual, call, 'refuse']),
    [isEqual, fcntl, 'fcntl'],
    [answer, allowed],
    // The low half of its second argument.
    [load, 24],
    ...lockCommands.map((command): [number, number, 'refuse'] => [isEqual, command, 'refuse']),
    [answer, allowed],
    [answer, refusedWith],
  ];
  const places = { refuse: steps.length - 1, unless: steps.length - 1, fcntl: steps.length - lockCommands.length - 3 };
  const program = Buffer.alloc(steps.length * 8);
  for (const [at, [code, value, to]] of steps.entries()) {
    const jump = to ? places[to] - at - 1 : 0;
    program.writeUInt16LE(code, at * 8);
    program.writeUInt8(to && to !== 'unless' ? jump : 0, at * 8 + 2);
    program.writeUInt8(to === 'unless' ? jump : 0, at * 8 + 3);
    program.writeUInt32LE(value, at * 8 + 4);
  }
  return program;
}
