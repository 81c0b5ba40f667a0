import { onBar } from '@atoll/trading/backtest/testing';

/** Ways out of the process that a strategy runs in, or to what it must not know. A new one is a line here. */

/** What a strategy gets hold of with a proxy of which the trap is a proxy. */
const withProxies = (body: string) => `
  const found = {};
  const trap = new Proxy({}, { get(_, name) { return (...given) => { found.given = given; for (const each of given) { try { found.host ??= each?.constructor?.constructor; } catch {} } return Reflect[name](...given); }; } });
  const definition = { markets: { min: 1, max: 9 }, start({ market, log }) { return { onBar() { const bar = market.count; ${body} } }; } };
  export default strategy(new Proxy(definition, trap));`;

/** Each would make this strategy richer than its orders do, were its own engine believed. */
export const forgeries: [name: string, code: string][] = [
  [
    'a proxy whose trap is a proxy',
    withProxies("if (bar === 1) log('tried ' + typeof found.host); found.host?.('return process')()"),
  ],
  [
    'prototypes of the engine',
    onBar(
      `for (const each of [market, context, Object, Array, Float64Array, Math]) { try { Object.getPrototypeOf(each).cash = 1e9; } catch {} }
       if (bar === 1) log('tried ' + [market, Array, Float64Array, Math].every((each) => Object.isFrozen(Object.getPrototypeOf(each))));
       try { Float64Array.prototype.fill = () => 0; Math.floor = () => 1e9; Math.round = () => 1e9; } catch {}`,
    ),
  ],
  [
    'a definition with getters',
    `let reads = 0;
    export default strategy({ get parameters() { reads++; return {}; }, get markets() { return { min: 1, max: 9 }; }, start({ market, log }) { return { onBar() { market.buy({ get amount() { return reads++ % 2 ? 1 : 1e9; } }); if (market.count === 3) log('tried ' + (reads > 2)); } }; } });`,
  ],
  [
    'the stack of an error',
    onBar(
      `try { Error.prepareStackTrace = (_, frames) => { for (const each of frames) each.getThis?.()?.constructor?.constructor?.('return process')(); return ''; }; } catch {}
       try { null.x } catch (e) { if (bar === 1) log('tried ' + (e.stack !== '')); }`,
    ),
  ],
  [
    'handlers that are proxies',
    `export default strategy({ start({ log }) { let asked = 0; return new Proxy({}, { get: (_, name) => name === 'onBar' ? () => { if (asked++ === 0) log('tried true'); } : undefined }); } });`,
  ],
];

/** None of them loads anything: they are refused, or the process has nothing to give. */
export const imports: [name: string, body: string][] = [
  ['import with a comment', "import/**/('node:fs').then(() => {})"],
  ['import by another name', "const load = (name) => import (name); load('node:fs')"],
  ['require', "require('fs')"],
  ['a function of text', "Function('return process')()"],
  ['a constructor of text', "(() => {}).constructor('return process')()"],
  ['an async constructor of text', "(async () => {}).constructor('return process')()"],
  ['eval in another world', "Reflect.construct(Function, ['return process'])()"],
];

/** The same where bars come one by one: what it answers to one of them. */
export const hijackedSteps: [name: string, program: string][] = [
  ['100 MB', 'answer(100e6)'],
  ['nothing', 'process.exit(0)'],
  ['garbage', "write(Buffer.from('garbage garbage garbage'))"],
  ['decisions for the next bar', 'step([row({ step: bar + 1 })])'],
  ['decisions for the bar before', 'step([row({ step: bar - 1 })])'],
  ['decisions for other markets', 'step([row({ step: bar, market: 1 })])'],
  ['more calls than it sends', 'step([], { calls: 2 })'],
  ['fewer calls than it sends', 'step([row({ step: bar })], { calls: 0 })'],
];

/** What a process that is no longer ours answers instead of its decisions, as a program of it. */
export const hijacked: [name: string, program: string, message: RegExp][] = [
  ['100 MB', 'answer(100e6)', /not a decision/],
  ['4 GB, as it says', 'claim(0xffffffff, 0)', /not a decision/],
  ['nothing', 'process.exit(0)', /ended without an answer/],
  ['garbage', "write(Buffer.from('garbage garbage garbage'))", /not a decision/],
  ['JSON that is none', "frame(Buffer.from('{{{{'), none)", /not a decision/],
  ['a text', 'frame(Buffer.from(\'"text"\'), none)', /not a decision/],
  ['decisions for other markets', 'run([row({ market: 7 })])', /not a decision/],
  ['decisions for tomorrow', 'run([row({ step: steps })])', /not a decision/],
  ['decisions for yesterday, after those of today', 'run([row({ step: 9 }), row({ step: 3 })])', /not a decision/],
  ['half a bar', 'run([row({ step: 3.5 })])', /not a decision/],
  ['another kind of decision', 'run([row({ kind: 99 })])', /not a decision/],
  ['more calls than it sends', 'run([], { calls: 5 })', /not a decision/],
  ['that it came to no bar', 'run([], { step: 3 })', /not a decision/],
];

/** Ways of a strategy in Python to what comes: each of them knows the next close only where it is there. */
export const peeks: [name: string, body: string][] = [
  ['private attributes', 'next = market._close[market._row + 1] if market._row + 1 < market._rows else 0'],
  [
    'lines of the engine',
    'values = market.sma(1)._values\nnext = values[market._row + 1] if len(values) > market._row + 1 else 0',
  ],
  [
    'frames',
    `frame = sys._getframe()
while frame:
    for each in list(frame.f_locals.values()):
        if isinstance(each, dict) and each and all(isinstance(key, int) for key in each):
            next = next or max((columns[4][market._row + 1] for columns in each.values() if len(columns) == 6 and len(columns[4]) > market._row + 1), default=0)
    frame = frame.f_back`,
  ],
  [
    'gc',
    `for each in gc.get_objects() if bar % 20 == 0 else []:
    if isinstance(each, list) and len(each) == 6 and all(isinstance(column, array.array) for column in each):
        if len(each[4]) > market._row + 1 and each[4][market._row] == market.close():
            next = each[4][market._row + 1]`,
  ],
  [
    'memoryview',
    'view = memoryview(market._close)\nnext = view[market._row + 1] if len(view) > market._row + 1 else 0',
  ],
];

/** What one process could leave for another: whatever a run writes must not be there in the next. */
export const messages: [name: string, body: string][] = [
  [
    'names of folders',
    `for place in ("/tmp", "/dev/shm", "/dev", "/var/tmp", "/run", "."):
    try:
        for name in os.listdir(place):
            if name.startswith("plan") and bar == 1:
                self.log("found " + name)
        os.mkdir(place + "/plan" + str(market.count))
    except OSError:
        pass`,
  ],
  [
    'the environment',
    'if bar == 1 and os.environ.get("PLAN"):\n    self.log("found")\nos.environ["PLAN"] = "1"\nos.putenv("PLAN", "1")',
  ],
  // The run that is judged must not know itself by the number of its process.
  ['numbers of processes', 'if bar % 40 == 0:\n    market.buy(percent=os.getpid() % 20 + 3)'],
  [
    'a keyring',
    `libc = sys.modules["builtins"].__import__("ctypes").CDLL(None)
added, searched = (248, 250) if os.uname().machine == "x86_64" else (217, 219)
if bar == 1 and libc.syscall(searched, 10, -3, b"user", b"plan", 0) >= 0:
    self.log("found")
if libc.syscall(added, b"user", b"plan", b"1", 1, -3) >= 0:
    self.log("added")`,
  ],
  [
    'locks of files',
    `fcntl = sys.modules["builtins"].__import__("fcntl")
for lock in (lambda fd: fcntl.flock(fd, 6), lambda fd: fcntl.lockf(fd, 5)):
    fd = os.open("/usr/bin/env", os.O_RDONLY)
    try:
        lock(fd)
        self.log("locked")
    except OSError:
        pass
    os.close(fd)`,
  ],
  [
    'notices of what is opened',
    'if sys.modules["builtins"].__import__("ctypes").CDLL(None).inotify_init1(0) >= 0:\n    self.log("watched")',
  ],
  ['caches of modules', 'if bar == 1 and getattr(sys, "plan", None):\n    self.log("found")\nsys.plan = "1"'],
];
