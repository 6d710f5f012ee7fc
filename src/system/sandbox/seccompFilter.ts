/**
 * A seccomp program for `bwrap --seccomp`: refuses system calls that bypass namespaces and mounts, or that only enlarge the
 * attack surface of the kernel.
 */

interface Architecture {
  /** `seccomp_data.arch` */
  readonly audit: number;
  /** Numbers from here on belong to another ABI of the same processor (x32). */
  readonly foreignFrom?: number;
  readonly refused: readonly number[];
  /** Calls that set a file's mode, with the index of that argument. */
  readonly setMode: Readonly<Record<number, number>>;
  /** Calls that open a file, with the index of the flags: if these create a file, the mode after them counts. */
  readonly openFile: Readonly<Record<number, number>>;
  readonly clone: number;
  readonly socket: number;
  readonly ioctl: number;
}

/** The same numbers on every architecture, as all calls since Linux 5.1: those of new mounts, and pidfd_getfd. */
const REFUSED = [428, 429, 430, 431, 432, 433, 442, 438];
/**
 * clone3 and openat2, whose flags are in memory, which a filter cannot read, and io_uring. Programs fall back to older
 * calls when these do not exist.
 */
const MISSING = [435, 437, 425, 426, 427];
const FCHMODAT2 = 452;

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    foreignFrom: 0x40000000,
    refused: [
      // add_key, request_key, keyctl: keyrings belong to the session, which no namespace separates
      ...[248, 249, 250],
      // mount, umount2, pivot_root, chroot, unshare, setns
      ...[165, 166, 155, 161, 272, 308],
      // init_module, finit_module, delete_module, kexec_load, kexec_file_load, reboot, swapon, swapoff, acct, quotactl
      ...[175, 313, 176, 246, 320, 169, 167, 168, 163, 179],
      // syslog, bpf, perf_event_open, userfaultfd, open_by_handle_at, process_vm_readv, process_vm_writev
      ...[103, 321, 298, 323, 304, 310, 311],
      // iopl, ioperm, settimeofday, clock_settime
      ...[172, 173, 164, 227],
    ],
    // creat, chmod, fchmod, fchmodat, mknod, mknodat
    setMode: { 85: 1, 90: 1, 91: 1, 268: 2, [FCHMODAT2]: 2, 133: 1, 259: 2 },
    // open, openat
    openFile: { 2: 1, 257: 2 },
    clone: 56,
    socket: 41,
    ioctl: 16,
  },
  arm64: {
    audit: 0xc00000b7,
    refused: [
      ...[217, 218, 219],
      ...[40, 39, 41, 51, 97, 268],
      ...[105, 273, 106, 104, 294, 142, 224, 225, 89, 60],
      ...[116, 280, 241, 282, 265, 270, 271],
      // settimeofday, clock_settime
      ...[170, 112],
    ],
    // fchmod, fchmodat, mknodat
    setMode: { 52: 1, 53: 2, [FCHMODAT2]: 2, 33: 2 },
    openFile: { 56: 2 },
    clone: 220,
    socket: 198,
    ioctl: 29,
  },
};

/** unix, inet, inet6, netlink. A network namespace does not confine all others (vsock, Bluetooth, packet …). */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** Any of the namespaces. */
const NEW_NAMESPACES = 0x7e020000;
/** TIOCSTI and TIOCLINUX insert text into a terminal as if the user had typed it. */
const TERMINAL_INPUT = [0x5412, 0x541c];

/** A program that runs as its owner for every other user, even after the sandbox is gone. */
const SET_USER_ID = 0o4000;
/** O_CREAT and O_TMPFILE. */
const MAKES_FILE = 0x40 | 0x400000;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const refuse = (errno: number) => ret(0x00050000 | errno);

/** Offsets in `struct seccomp_data`; of arguments, the lower half. */
const NUMBER = 0;
const ARCH = 4;
const argument = (index: number) => load(16 + 8 * index);

/** One `struct sock_filter`. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (at: number): Instruction => [LOAD, 0, 0, at];
const ret = (value: number): Instruction => [RETURN, 0, 0, value];
/** The instructions are skipped unless the loaded value compares like this. */
const when = (code: number, value: number, then: readonly Instruction[]): Instruction[] => [
  [code, 0, then.length, value],
  ...then,
];

const refuseSetUserId = when(ANY_BIT, SET_USER_ID, [refuse(EPERM)]);

/** The program's bytes; undefined on processors whose system calls are not in the table. */
export function seccompFilter(arch: string = process.arch): Buffer | undefined {
  const row = Object.hasOwn(ARCHITECTURES, arch) ? ARCHITECTURES[arch] : undefined;
  if (row === undefined) return undefined;
  const { audit, foreignFrom, refused, setMode, openFile, clone, socket, ioctl } = row;
  const program: Instruction[] = [
    load(ARCH),
    [EQUAL, 1, 0, audit],
    refuse(EPERM),
    load(NUMBER),
    ...(foreignFrom === undefined ? [] : when(AT_LEAST, foreignFrom, [refuse(EPERM)])),
    ...[...refused, ...REFUSED].flatMap((number) => when(EQUAL, number, [refuse(EPERM)])),
    ...MISSING.flatMap((number) => when(EQUAL, number, [refuse(ENOSYS)])),
    ...Object.entries(setMode).flatMap(([number, mode]) =>
      when(EQUAL, Number(number), [argument(mode), ...refuseSetUserId, ret(ALLOW)]),
    ),
    ...Object.entries(openFile).flatMap(([number, flags]) =>
      when(EQUAL, Number(number), [
        argument(flags),
        ...when(ANY_BIT, MAKES_FILE, [argument(flags + 1), ...refuseSetUserId]),
        ret(ALLOW),
      ]),
    ),
    ...when(EQUAL, clone, [argument(0), ...when(ANY_BIT, NEW_NAMESPACES, [refuse(EPERM)]), ret(ALLOW)]),
    ...when(EQUAL, socket, [
      argument(0),
      ...SOCKET_FAMILIES.flatMap((family) => when(EQUAL, family, [ret(ALLOW)])),
      refuse(EAFNOSUPPORT),
    ]),
    ...when(EQUAL, ioctl, [argument(1), ...TERMINAL_INPUT.flatMap((request) => when(EQUAL, request, [refuse(EPERM)]))]),
    ret(ALLOW),
  ];
  return Buffer.concat(program.map(bytesOf));
}

function bytesOf([code, ifTrue, ifFalse, value]: Instruction): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
