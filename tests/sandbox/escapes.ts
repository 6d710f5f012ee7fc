/** Ways out of the sandbox, each as a script that tries. */
export interface Escape {
  readonly kind: string;
  readonly name: string;
  /** Run one after the other, each as a command of its own. */
  readonly scripts: readonly string[];
  /** What it does without a sandbox, so that a script that would never do anything is noticed; null where that is not tried. */
  readonly bites: 'changes' | 'shows' | null;
  /** What the script must have printed: it saw its own attempt refused. */
  readonly says?: RegExp;
}

type Row = readonly [name: string, bites: Escape['bites'], ...scripts: string[]];

const rows = (kind: string, list: readonly Row[]): Escape[] =>
  list.map(([name, bites, ...scripts]) => ({ kind, name, bites, scripts }));

/** A system call by number: x64, then arm64. */
const call = (x64: number, arm64: number, args = '') =>
  `perl -e '$! = 0; my $n = \`uname -m\` =~ /aarch64/ ? ${arm64} : ${x64}; my $r = syscall($n${args}); print $r == -1 ? "refused: $!\\n" : "DONE $r\\n"'`;

const CONFIG = '[core]\\n\\tfsmonitor = touch $OUT/ran\\n\\thooksPath = evil\\n';

export const GUARDED = "change the project's guarded files";

/** Only a root could do it without a sandbox. */
const AS_ROOT = process.getuid?.() === 0 ? 'changes' : null;

export const ESCAPES: readonly Escape[] = [
  ...rows('write outside', [
    ['by its path', 'changes', 'echo x > $OUT/victim.txt'],
    ['by ..', 'changes', 'echo x >> ../outside/victim.txt'],
    ['by a link to the file', 'changes', 'ln -s $OUT/victim.txt l; echo x > l'],
    ['by a link to the folder', 'changes', 'ln -s $OUT f; echo x > f/new.txt'],
    ['by a hard link', 'changes', 'ln $OUT/victim.txt h && echo x > h'],
    ['by renaming a file into its place', 'changes', 'echo x > n; mv -f n $OUT/victim.txt'],
    ['by renaming it away', 'changes', 'mv $OUT/victim.txt taken.txt'],
    ['by deleting it', 'changes', 'rm -rf $OUT/folder $OUT/victim.txt'],
    ['by changing its mode', 'changes', 'chmod 777 $OUT/victim.txt'],
    ['by truncating it', 'changes', `perl -e 'truncate $ENV{OUT} . "/victim.txt", 0'`],
    [
      'by an archive with absolute paths',
      'changes',
      'mkdir -p t$OUT; echo x > t$OUT/victim.txt; tar -C t -cf a.tar .$OUT; tar -C / -xf a.tar',
    ],
    ['by /proc/1/root', null, 'echo x > /proc/1/root$OUT/victim.txt'],
    ['by /proc/self/root', 'changes', 'echo x > /proc/self/root$OUT/victim.txt'],
    [
      'by every process and descriptor in /proc',
      null,
      'for p in /proc/[0-9]*; do echo x > $p/root$OUT/victim.txt; echo x > $p/cwd/../outside/victim.txt; for d in $p/fd/*; do echo x > $d/../outside/victim.txt; done; done',
    ],
    ['by a git worktree there', 'changes', 'git worktree add -q $OUT/tree'],
    ['to the startup file of the shell', 'changes', 'echo evil >> ~/.bashrc'],
    ['to ~/.ssh/authorized_keys', 'changes', 'mkdir -p ~/.ssh; echo key >> ~/.ssh/authorized_keys'],
    ['to the folder of Stopgate', 'changes', 'mkdir -p ~/.stopgate/profiles && echo x > ~/.stopgate/profiles/evil'],
    ["to the person's Claude Code settings", 'changes', 'echo "{\\"x\\":1}" > ~/.claude/settings.json'],
    [
      'to /etc, /usr, /var, /opt and the root',
      AS_ROOT,
      'for d in /etc /usr/local/bin /var/lib /opt /root ""; do echo x > $d/$MARK; done',
    ],
    [
      "to the machine's /tmp, /var/tmp and /dev/shm",
      'changes',
      'for d in /tmp /var/tmp /dev/shm; do echo x > $d/$MARK; done',
    ],
  ]),
  ...rows('change mounts', [
    [
      'remount the root for writing',
      null,
      'mount -o remount,rw / ; mount -o remount,rw,bind $OUT; echo x > $OUT/victim.txt',
    ],
    [
      'unmount what is shut',
      null,
      'umount .claude; umount -l .claude; umount .git/config; umount ~/.ssh; cat ~/.ssh/id_ed25519; echo x > .claude/settings.json',
    ],
    [
      'mount over it in a namespace of its own',
      null,
      'unshare -Urm sh -c "mount -o remount,rw,bind /; echo x > $OUT/victim.txt; umount ~/.ssh; cat ~/.ssh/*"',
    ],
    [
      'enter the namespaces of process 1',
      null,
      'nsenter -t 1 -a sh -c "echo x > $OUT/victim.txt"; nsenter -t $VICTIM -m sh -c "echo x > $OUT/victim.txt"',
    ],
    [
      'chroot and climb',
      null,
      `perl -e 'mkdir "j"; chroot "j" or print "refused: $!\\n"; chdir ".." for 1..50; chroot "."; open F, ">", "$ENV{OUT}/victim.txt" and print F "x"'`,
    ],
  ]),
  ...rows('run with more rights', [
    [
      'leave a program that runs as its owner',
      null,
      'cp /bin/true suid; chmod 4755 suid && cp -p suid $P/.husky/suid; test -u suid && touch $P/escaped',
    ],
    [
      'make the file with that bit from the start',
      null,
      `perl -MFcntl -e 'sysopen(F, "suid2", O_CREAT|O_WRONLY, 04755) or print "refused: $!\\n"'; test -u suid2 && touch $P/escaped`,
    ],
    [
      'use su, sudo and setuid programs',
      null,
      'su -c "echo x > $OUT/victim.txt" < /dev/null; sudo -n sh -c "echo x > $OUT/victim.txt"',
    ],
    [
      'become another user',
      null,
      `perl -e '$< = $> = 12345; open F, ">", "$ENV{OUT}/victim.txt" and print F "x"; $> = 0; open F, ">", "$ENV{OUT}/victim.txt" and print F "x"'`,
    ],
  ]),
  ...rows('reach processes', [
    ['kill one by its number', 'changes', 'kill -9 $VICTIM'],
    ['kill all', null, 'if [ $(ls -d /proc/[0-9]* | wc -l) -gt 30 ]; then touch $P/escaped; else kill -9 -1; fi'],
    ['stop one', 'changes', 'kill -STOP $VICTIM'],
    ['read its environment', 'shows', 'tr "\\0" "\\n" < /proc/$VICTIM/environ'],
    ['read every environment', 'shows', `cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep TOPSECRET`],
    ['trace it', null, call(101, 117, ', 16, $ENV{VICTIM} + 0, 0, 0')],
    ['read its memory', null, call(310, 270, ', $ENV{VICTIM} + 0, 0, 0, 0, 0, 0')],
    [
      'leave a daemon in its own session',
      'changes',
      'setsid bash -c "exec -a daemon-$MARK sleep 300" > /dev/null 2>&1 & sleep 0.2',
      'true',
    ],
    [
      'leave a daemon by nohup and a double fork',
      'changes',
      '(nohup bash -c "exec -a daemon-$MARK sleep 300" > /dev/null 2>&1 &) ; sleep 0.2',
      'true',
    ],
    ['share memory with one', 'changes', `perl -e 'shmget($ENV{PORT} + 0, 4096, 01666) or print "refused: $!\\n"'`],
  ]),
  ...rows('read secrets', [
    ['~/.ssh', 'shows', 'cat ~/.ssh/*; grep -r . ~/.ssh'],
    ['the folder of Stopgate', 'shows', 'cat ~/.stopgate/*'],
    [
      'keys of clouds, hosts and registries',
      'shows',
      'cat ~/.aws/credentials ~/.config/gh/hosts.yml ~/.netrc ~/.npmrc ~/.gnupg/key ~/.git-credentials ~/.claude/.credentials.json',
    ],
    ['by a search through the home', 'shows', 'grep -rs TOPSECRET ~ | head -50; find ~ -type f -exec cat {} +'],
    [
      'by an archive of the home',
      'shows',
      'tar -cf - -C ~ . 2>/dev/null | strings | grep TOPSECRET || tar -cf - -C ~ . 2>/dev/null | tr -d "\\0" | grep -a TOPSECRET',
    ],
    ['by a link', 'shows', 'ln -s ~/.ssh s; cat s/id_ed25519'],
    ['by a hard link', 'shows', 'ln ~/.ssh/id_ed25519 k; cat k'],
    [
      'provider keys in the environment',
      null,
      'env | grep -i TOPSECRET; export -p | grep TOPSECRET; tr "\\0" "\\n" < /proc/self/environ | grep TOPSECRET; tr "\\0" "\\n" < /proc/1/environ | grep TOPSECRET',
    ],
    ['a denied folder', 'shows', 'cat secrets/one.txt; cd secrets && cat one.txt'],
    ['a denied name at any depth', 'shows', 'cat .env deep/down/.env'],
    [
      'a denied file after its folder was renamed',
      'shows',
      'mv conf conf2; mv conf/inner conf/x; mv deep deep2',
      'cat conf2/inner/token conf/x/token deep2/down/.env conf/inner/token',
    ],
    [
      'a denied file after it was renamed',
      'shows',
      'mv .env e; mv secrets s; mv conf/inner/token t',
      'cat e s/one.txt t',
    ],
    [
      'a denied file by a copy, a link and an archive',
      'shows',
      'cp -r secrets c; cat c/*; ln -s .env l; cat l; ln .env h; cat h; tar -cf - . | grep -a TOPSECRET',
    ],
    [
      'a denied file by git',
      'shows',
      'git hash-object -w .env secrets/one.txt; git add -f .env secrets; git stash -a; git show stash@{0} "stash@{0}^3"',
    ],
    ['/etc/shadow', null, 'cat /etc/shadow | grep "^root:" && cat ~/.ssh/id_ed25519 && touch $P/escaped'],
    [
      "by the file for a command's last directory",
      'shows',
      'd=$(ls -d $TMPDIR/stopgate-bash-* | tail -1); rm -f $d/directory; ln -s ~/.ssh/id_ed25519 $d/directory; cat ~/.ssh/id_ed25519',
    ],
  ]),
  ...rows(GUARDED, [
    [
      '.git/hooks',
      'changes',
      'printf "#!/bin/sh\\ntouch $OUT/ran\\n" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
    ],
    [
      '.git/hooks by moving the folder',
      'changes',
      'mv .git/hooks h; mkdir .git/hooks; printf "#!/bin/sh\\ntouch $OUT/ran\\n" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
    ],
    ['.git/config', 'changes', `printf '${CONFIG}' >> .git/config; git config core.fsmonitor "touch $OUT/ran"`],
    [
      '.git/config by a rename over it',
      'changes',
      `cp .git/config c; printf '${CONFIG}' >> c; mv -f c .git/config; cp .git/config c; perl -e 'rename "c", ".git/config"'; ln -sf /dev/null .git/config`,
    ],
    ['.git/config by a hard link', 'changes', `ln .git/config c && printf '${CONFIG}' >> c`],
    ['.git as a whole by a rename', 'changes', `mv .git g && cp -r g .git && printf '${CONFIG}' >> .git/config`],
    [
      '.git by another common folder',
      'changes',
      `mkdir evil; cp -r .git/objects .git/refs .git/HEAD evil; printf '${CONFIG}' > evil/config; echo ../evil > .git/commondir`,
    ],
    [
      '.claude/settings.json',
      'changes',
      'echo "{\\"hooks\\":{}}" > .claude/settings.json; echo x > .claude/settings.local.json',
    ],
    ['.claude by moving the folder', 'changes', 'mv .claude c; mkdir -p .claude; echo x > .claude/settings.json'],
    [
      'stopgate.config.json',
      'changes',
      'echo "{}" > stopgate.config.json; rm -f stopgate.config.json; echo "{}" > s; mv -f s stopgate.config.json',
    ],
    ['.mcp.json, which was not there', 'changes', 'echo "{\\"mcpServers\\":{}}" > .mcp.json'],
    ['.husky', 'changes', 'echo "touch $OUT/ran" > .husky/pre-commit'],
    [
      'a file that an Edit rule denies',
      'changes',
      'echo x > locked.txt; rm -f locked.txt; echo x > n; mv -f n locked.txt',
    ],
  ]),
  ...rows('reach the network', [
    [
      'a server on the loopback',
      'changes',
      'curl -s --max-time 2 http://127.0.0.1:$PORT; curl -s --max-time 2 http://localhost:$PORT; curl -s --max-time 2 "http://[::1]:$PORT"',
    ],
    ['by bash alone', 'changes', 'exec 5<>/dev/tcp/127.0.0.1/$PORT && echo GET >&5'],
    [
      "by the machine's own address",
      'changes',
      'for a in $(hostname -I) 0.0.0.0 127.0.0.2; do exec 5<>/dev/tcp/$a/$PORT && echo GET >&5; done',
    ],
    ['by a datagram', 'changes', 'echo x > /dev/udp/127.0.0.1/$UDP; sleep 0.1'],
    ['by a proxy variable', 'changes', 'curl -s --max-time 2 -x http://127.0.0.1:$PORT http://example.com/'],
    [
      'a name',
      null,
      'getent hosts example.com && touch $P/escaped; curl -s --max-time 3 http://example.com/ && touch $P/escaped',
    ],
    [
      'by a new interface',
      null,
      'ip link add v0 type veth peer name v1 netns 1; ip link add d0 type dummy && touch $P/escaped; ip route add default via 127.0.0.1',
    ],
    [
      'an abstract unix socket',
      'changes',
      `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack("S", AF_UNIX) . "\\0" . $ENV{ABSTRACT}) or print "refused: $!\\n"; print <S>'`,
    ],
    [
      'a unix socket in a folder that can be read',
      'changes',
      'curl -s --max-time 2 --unix-socket $OUT/agent.sock http://x/',
    ],
    [
      'the docker socket of the home',
      'changes',
      'curl -s --max-time 2 --unix-socket ~/.docker/run/docker.sock http://x/',
    ],
    [
      'a socket in /run',
      null,
      'for s in $(find /run /var/run -type s 2>/dev/null) /run/$MARK /var/run/docker.sock; do curl -s --max-time 1 --unix-socket $s http://x/ && touch $P/escaped; done',
    ],
    [
      'the session bus and agents by their variables',
      null,
      'env | grep -E "SSH_AUTH_SOCK|DBUS|XDG_RUNTIME_DIR|DISPLAY" && touch $P/escaped; ssh-add -l',
    ],
  ]),
  ...rows('use the kernel', [
    [
      'make and use a device',
      null,
      'mknod d b 254 0 && dd if=d count=1 && touch $P/escaped; mknod k c 1 1 && touch $P/escaped; ls /dev/mem /dev/kmsg /dev/sda /dev/vda /dev/loop0 2>/dev/null && touch $P/escaped',
    ],
    // each with its present value: were it let through, nothing would change
    ['sysrq', null, 'echo h > /proc/sysrq-trigger && touch $P/escaped'],
    [
      'kernel settings',
      null,
      'for f in kernel/core_pattern kernel/modprobe kernel/hostname vm/overcommit_memory fs/file-max; do v=$(cat /proc/sys/$f) && echo "$v" > /proc/sys/$f && touch $P/escaped; done; echo "" > /sys/kernel/uevent_helper && touch $P/escaped',
    ],
    ['set the name of the machine', null, 'hostname "$(hostname)" && touch $P/escaped'],
    [
      'run a program of a control group outside',
      null,
      'for g in /sys/fs/cgroup /sys/fs/cgroup/*; do mkdir $g/$MARK && touch $P/escaped; echo $OUT/x > $g/release_agent && touch $P/escaped; done',
    ],
  ]),
];

/** The filter's own answers: any other error would say that the kernel looked at the arguments. */
const REFUSAL =
  /refused: (Operation not permitted|Function not implemented|Address family not supported by protocol|no terminal)/;

/** Attempts whose refusal is all that can be seen of them. */
export const REFUSED: readonly Escape[] = [
  ['add a key to the kernel keyring', call(248, 217, ', my $t = "user", my $d = "x", my $v = "y", 1, -3')],
  ['read the kernel keyring', call(250, 219, ', 0, -3, 1')],
  ['load a program into the kernel (bpf)', call(321, 280, ', 0, 0, 0')],
  ['open a ring (io_uring)', call(425, 425, ', 8, 0')],
  ['make a user namespace (unshare)', call(272, 97, ', 0x10000000')],
  ['make a mount namespace (unshare)', call(272, 97, ', 0x20000')],
  ['make a namespace (clone)', call(56, 220, ', 0x10000011, 0, 0, 0, 0')],
  ['make a namespace (clone3)', call(435, 435, ', 0, 0')],
  ['open a file by its handle', call(304, 265, ', -100, 0, 0')],
  ['take a descriptor of another process', call(438, 438, ', 3, 0, 0')],
  ['open a new mount (fsopen)', call(430, 430, ', my $t = "tmpfs", 0')],
  ['watch the processor (perf_event_open)', call(298, 241, ', 0, 0, -1, -1, 0')],
  [
    'open a socket to the hypervisor (vsock)',
    `perl -e 'socket(S, 40, 1, 0) ? print "DONE\\n" : print "refused: $!\\n"'`,
  ],
  ['open a raw packet socket', `perl -e 'socket(S, 17, 3, 0) ? print "DONE\\n" : print "refused: $!\\n"'`],
  ['set the clock', call(227, 112, ', 0, 0')],
  [
    'type into a terminal (TIOCSTI)',
    `script -qec "perl -e 'my \\$c = \\"x\\"; ioctl(STDIN, 0x5412, \\$c) ? print \\"DONE\\n\\" : print \\"refused: \\$!\\n\\"'" /dev/null`,
  ],
  ['open the terminal of the session', 'exec 5<>/dev/tty && echo DONE || echo refused: no terminal'],
].map(([name = '', script = '']) => ({
  kind: 'use the kernel',
  name,
  scripts: [script],
  bites: null,
  says: REFUSAL,
}));
