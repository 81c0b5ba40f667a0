import { arch } from 'node:os';

/** A seccomp filter in bubblewrap's format: compiled BPF, eight bytes for each instruction. */

const architectures: Record<string, { audit: number; column: 0 | 1 }> = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
};

/** System call numbers on x86-64 and on arm64. */
type Call = [number, number];

/** Calls that reach into the host's kernel and that no notebook needs. */
const refused: Record<string, Call> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  pidfd_getfd: [438, 438],
  keyctl: [250, 219],
  add_key: [248, 217],
  request_key: [249, 218],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  perf_event_open: [298, 241],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  unshare: [272, 97],
  setns: [308, 268],
  personality: [135, 92],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  quotactl: [179, 60],
  syslog: [103, 116],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  // A pipe that holds one byte of a page keeps megabytes that belong to no process any more.
  vmsplice: [278, 75],
};

/** Programs fall back when these calls do not exist. Memory from them would be in no process's size. */
const missing: Record<string, Call> = {
  clone3: [435, 435],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
  mq_open: [240, 180],
};

const clone: Call = [56, 220];
const ioctl: Call = [16, 29];
const socket: Call = [41, 198];
const setsockopt: Call = [54, 208];
/** SO_SNDBUF and SO_RCVBUF: data in a socket is in no process's size, so every socket keeps its default size. */
const bufferSizes = [7, 8];
const newNamespaces = 0x7e020080;
const typeIntoTerminal = [0x5412, 0x541c];
/** Unix, internet and netlink: a network namespace does not isolate vsock and similar families. */
const families = [1, 2, 10, 16];

const errno = { none: 0, EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };
const allow = 0x7fff0000;
const kill = 0x80000000;
const refuse = (error: keyof typeof errno) => 0x00050000 + errno[error];

const load = (offset: number) => [0x20, 0, 0, offset];
const equal = (value: number, yes: number, no: number) => [0x15, yes, no, value];
const atLeast = (value: number, yes: number, no: number) => [0x35, yes, no, value];
const anyBit = (value: number, yes: number, no: number) => [0x45, yes, no, value];
const answer = (value: number) => [0x06, 0, 0, value];

const number = 0;
const architecture = 4;
const argument = (index: number) => 16 + 8 * index;

/** Null on machines whose call numbers we do not have. */
export function seccompFilter(machine = arch()): Buffer | null {
  const target = architectures[machine];
  if (!target) return null;
  const { audit, column } = target;
  const program = [
    load(architecture),
    equal(audit, 1, 0),
    answer(kill),
    load(number),
    // x32 numbers would bypass the list.
    ...(machine === 'x64' ? [atLeast(0x40000000, 0, 1), answer(kill)] : []),
    ...Object.values(refused).flatMap((call) => [equal(call[column], 0, 1), answer(refuse('EPERM'))]),
    ...Object.values(missing).flatMap((call) => [equal(call[column], 0, 1), answer(refuse('ENOSYS'))]),
    equal(clone[column], 0, 4),
    load(argument(0)),
    anyBit(newNamespaces, 0, 1),
    answer(refuse('EPERM')),
    answer(allow),
    equal(ioctl[column], 0, 2 + typeIntoTerminal.length * 2),
    load(argument(1)),
    ...typeIntoTerminal.flatMap((request) => [equal(request, 0, 1), answer(refuse('EPERM'))]),
    answer(allow),
    equal(setsockopt[column], 0, 4 + bufferSizes.length * 2),
    load(argument(1)),
    equal(1, 0, 1 + bufferSizes.length * 2),
    load(argument(2)),
    // Pretend success.
    ...bufferSizes.flatMap((option) => [equal(option, 0, 1), answer(refuse('none'))]),
    answer(allow),
    equal(socket[column], 0, 2 + families.length * 2),
    load(argument(0)),
    ...families.flatMap((family) => [equal(family, 0, 1), answer(allow)]),
    answer(refuse('EAFNOSUPPORT')),
    answer(allow),
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code = 0, yes = 0, no = 0, value = 0], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  });
  return bytes;
}
