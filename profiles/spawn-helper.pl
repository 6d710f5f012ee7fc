#!/usr/bin/env perl
# Starts commands for a large parent process, because a fork copies the page tables of the process that forks.
#
# A command is run by a spare: a child that was forked in advance, has its pipes and its group, and reads its command from
# stdin. So a command only costs an exec; the next spare is forked when nothing else happens.
#
# Frames, both ways: length of the payload (32 bits, big endian), type (1 byte), command (32 bits), payload.
#
#   from the parent   E  change of the environment: entries ended by NUL; `NAME=value` is set, `NAME` is unset
#                     R  run: kind of stdin (n none, w whole input follows, p part of it), length of the words,
#                        the words ended by NUL (directory, executable, arguments), input
#                     I  more input (w the last part, p another part), data
#                     Q  ping, with a number in place of the command
#   to the parent     H  ready; nothing was started before this
#                     P  forked, in its own group: process id
#                     O  stdout      S  stderr
#                     W  all input so far was written, send more
#                     X  ended: wait status; all its output was sent before
#                     L  ended like X, but other members of its group are left
#                     F  not started: errno
#                     A  the answer to Q, with its number
#
# When stdin ends, the parent has ended: every group that was started here is ended, too.
#
# Only two pragmas are loaded: each module costs milliseconds at the start and memory at every fork. Two numbers that differ
# between systems and would need a module come from the parent.
use strict;
use warnings;
no warnings 'exec';

my ($O_NONBLOCK, $EAGAIN) = map { int } @ARGV;

# the same on every system with a fork
sub EINTR ()   { 4 }
sub F_SETFL () { 4 }
sub WNOHANG () { 1 }

# The exit code of a child that could not exec its command; a command may exit with the same code.
sub NOT_STARTED () { 127 }

sub HEADER ()      { 9 }
sub CHUNK ()       { 65_536 }
# While this much output waits for the parent, no child is read, so a child with too much output blocks on its own pipe.
sub OUT_LIMIT ()   { 4 * CHUNK }
# More than a pipe can hold: further output after an exit comes from another process.
sub DRAIN_LIMIT () { 1_048_576 }
# Commands started before children are served again.
sub STARTS_A_ROUND () { 16 }
sub GRACE_SECONDS ()  { 1 }
# Each spare takes about 0.3 MB.
sub MOST_SPARES ()    { 16 }
# A spare with more changes of the environment (in bytes) is replaced.
sub MOST_CHANGES ()   { CHUNK }
# After the end of a command, its caller needs the processor more than the next spare does.
sub QUIET_SECONDS ()  { 0.02 }

my %child_of;    # process id → child, until it is reaped
my %with_id;     # id → child, until it is reaped
my %left;        # groups whose leader has ended but not all members
my %errno_of;    # process id → why it was not started, until it is reaped
my @reader;      # descriptor → [child, frame type, handle]
my @writer;      # descriptor → child
my ($reading, $writing) = ('', '');
my ($in, $out) = ('', '');
my @spares;      # children without a command, the oldest first
my %dismissed;   # process ids of replaced spares, until they are reaped
my $most_parallel  = 2;    # commands so far; as many spares are kept
my $is_quiet       = 0;    # nothing happened for QUIET_SECONDS
my $frames_waiting = 0;
my $short_polls    = 0;

close_inherited();
# a successful exec closes the write end, like every descriptor above 2 here ($^F)
pipe my $failures, my $failed or die "no pipe: $!";
open my $nothing, '+<', '/dev/null' or die "no /dev/null: $!";
open my $control, '<&', \*STDIN  or die "no control: $!";
open my $answers, '>&', \*STDOUT or die "no answers: $!";
open my $complaints, '>&', \*STDERR or die "no complaints: $!";
$SIG{__DIE__} = sub { syswrite $complaints, $_[0] };
my ($CONTROL, $ANSWERS) = (fileno $control, fileno $answers);
detach_stdio();
chdir '/';
fcntl $answers, F_SETFL, $O_NONBLOCK;
fcntl $failures, F_SETFL, $O_NONBLOCK;

# Only has to interrupt `select`. A signal just before `select` does not, hence the bound on each wait.
$SIG{CHLD} = sub { };
$SIG{PIPE} = sub { };

vec($reading, $CONTROL, 1) = 1;
my $only_control = $reading;
send_frame('H', 0, '');
serve_children() while 1;

# Commands must not inherit descriptors that the parent's own parent left open.
sub close_inherited {
    opendir my $listing, '/dev/fd' or return;
    my @descriptors = grep { /^\d+$/ and $_ > 2 } readdir $listing;
    closedir $listing;
    for my $descriptor (@descriptors) {
        open my $handle, '<&=', $descriptor or next;
        close $handle;
    }
}

sub serve_children {
    reap();
    flush_out();
    my $readable = length $out < OUT_LIMIT ? $reading : $only_control;
    my $writable = $writing;
    vec($writable, $ANSWERS, 1) = 1 if length $out;
    my $wait = longest_wait();
    my $ready = select($readable, $writable, undef, $wait);
    $is_quiet = !$ready && ($is_quiet || $wait >= QUIET_SECONDS);
    add_spare() if $is_quiet and @spares < $most_parallel;
    return handle_frames() if $ready <= 0;
    for my $descriptor (descriptors_in($readable)) {
        if ($descriptor != $CONTROL) { relay($descriptor) }
        else                         { read_control() }
    }
    for my $descriptor (descriptors_in($writable)) {
        feed($writer[$descriptor]) if $writer[$descriptor];
    }
    handle_frames();
}

sub longest_wait {
    return 0 if $frames_waiting;
    if (@spares < $most_parallel) {
        return 0 if $is_quiet;
        return QUIET_SECONDS if !%child_of;
    }
    return undef if !%child_of and !%dismissed;
    # a child that closed its output is about to end
    return 0.1 if !$short_polls;
    $short_polls--;
    return 0.002;
}

sub descriptors_in {
    my ($bits) = @_;
    my @descriptors;
    while ($bits =~ /[^\0]/g) {
        my $first = 8 * (pos($bits) - 1);
        push @descriptors, grep { vec $bits, $_, 1 } $first .. $first + 7;
    }
    return @descriptors;
}

sub send_frame {
    my ($type, $id, $payload) = @_;
    $out .= pack('NaN', length $payload, $type, $id) . $payload;
}

sub flush_out {
    while (length $out) {
        my $written = syswrite $answers, $out;
        if (defined $written) { substr $out, 0, $written, '' }
        elsif ($! == $EAGAIN) { return }
        elsif ($! != EINTR)   { end_everything() }
    }
}

sub read_control {
    my $count = sysread $control, $in, CHUNK, length $in;
    return if !defined $count and $! == EINTR;
    end_everything() if !$count;
}

sub handle_frames {
    my $starts = 0;
    $frames_waiting = 0;
    while (length $in >= HEADER) {
        my ($length, $type, $id) = unpack 'NaN', $in;
        return if length $in < HEADER + $length;
        if ($type eq 'R' and $starts++ == STARTS_A_ROUND) {
            $frames_waiting = 1;
            return;
        }
        my $payload = substr $in, HEADER, $length;
        substr $in, 0, HEADER + $length, '';
        if    ($type eq 'R') { run($id, $payload) }
        elsif ($type eq 'I') { more_input($id, $payload) }
        elsif ($type eq 'E') { change_environment($payload); queue_for_spares($payload) }
        elsif ($type eq 'Q') { send_frame('A', $id, '') }
        else                 { die "a frame of unknown type\n" }
    }
}

# Changes this process's own environment, which forks inherit at no cost.
sub change_environment {
    for my $entry (split /\0/, $_[0]) {
        my ($name, $value) = split /=/, $entry, 2;
        if   (defined $value) { $ENV{$name} = $value }
        else                  { delete $ENV{$name} }
    }
}

# An older spare did not inherit the changes, so it gets them with its command.
sub queue_for_spares {
    my ($changes) = @_;
    for (splice @spares) {
        $_->{changes} .= $changes;
        if   (length $_->{changes} <= MOST_CHANGES) { push @spares, $_ }
        else                                        { dismiss($_) }
    }
}

# It ends when its stdin is closed, which happens when nothing here refers to it.
sub dismiss {
    my ($spare) = @_;
    $dismissed{ $spare->{pid} } = 1 if waitpid($spare->{pid}, WNOHANG) == 0;
}

sub run {
    my ($id, $payload) = @_;
    my ($stdin, $length) = unpack 'aN', $payload;
    my $words = substr $payload, 5, $length;
    my $child = living_spare() || spare() or return send_frame('F', $id, pack 'N', $!);
    my $order = pack('NaN', length $child->{changes}, $stdin, length $words) . $child->{changes} . $words;
    $child->{id}    = $id;
    $child->{input} = $order . substr $payload, 5 + $length;
    $child->{whole} = $stdin ne 'p';
    # most input fits into the pipe at the first try
    start_feeding($child);
    $child_of{ $child->{pid} } = $with_id{$id} = $child;
    my $parallel = keys %child_of;
    $most_parallel = $parallel if $parallel > $most_parallel and $parallel <= MOST_SPARES;
    delete $left{ $child->{pid} };
    start_reading($child, $_) for 'O', 'S';
    send_frame('P', $id, pack 'N', $child->{pid});
}

# Another process may have killed one while it waited.
sub living_spare {
    while (my $spare = shift @spares) {
        return $spare if waitpid($spare->{pid}, WNOHANG) == 0;
    }
    return;
}

sub add_spare {
    my $spare = spare(1);
    if ($spare) { push @spares, $spare }
    # the system has no room for more, so do not try again
    else        { $most_parallel = @spares }
}

# A child that waits for its command; undefined, with `$!`, on failure.
sub spare {
    my ($is_ahead) = @_;
    pipe(my $from, my $stdin) && pipe(my $stdout, my $child_stdout) && pipe(my $stderr, my $child_stderr) or return;
    # Here and not in the child: after a fork every touched page costs a copy, and perl touches many.
    my $is_ready = open(STDIN, '<&', $from) && open(STDOUT, '>&', $child_stdout) && open(STDERR, '>&', $child_stderr);
    my $pid = $is_ready ? fork : undef;
    become($stdin, $is_ahead) if defined $pid and !$pid;
    my $errno = $! + 0;
    detach_stdio();
    $! = $errno;
    return if !defined $pid;
    # the child does so, too, so that the group exists before the parent knows of it
    setpgrp $pid, $pid;
    fcntl $_, F_SETFL, $O_NONBLOCK for $stdin, $stdout, $stderr;
    return { pid => $pid, stdin => $stdin, O => $stdout, S => $stderr, changes => '' };
}

# Releases a command's pipes, which would not end otherwise.
sub detach_stdio {
    open STDIN, '<&', $nothing;
    open STDOUT, '>&', $nothing;
    open STDERR, '>&', $nothing;
}

# Only returns by exec or exit. An exec resets every handler to the default, so nothing is ignored here.
sub become {
    my ($own_stdin, $is_ahead) = @_;
    setpgrp 0, 0;
    close_all_but_own($own_stdin);
    # A rehearsal, which fails because a directory is not a program: it touches the pages that the real exec will, so that
    # they are copied in advance.
    obey(0, 'w', "/\0/\0") if $is_ahead;
    my ($changes, $stdin, $length) = unpack 'NaN', take(HEADER);
    obey($changes, $stdin, take($changes + $length));
    syswrite $failed, pack 'NN', $$, $!;
    exit NOT_STARTED;
}

# Returns, with `$!`, only when the command cannot be run.
sub obey {
    my ($changes, $stdin, $order) = @_;
    change_environment(substr $order, 0, $changes) if $changes;
    my ($directory, @words) = split /\0/, substr($order, $changes, -1), -1;
    return if $stdin eq 'n' and !open STDIN, '<&', $nothing;
    exec { $words[0] } @words if chdir $directory;
}

# A waiting spare must hold neither another command's pipes nor the helper's end of its own stdin.
sub close_all_but_own {
    my ($own_stdin) = @_;
    (@spares, @reader, @writer, %child_of, %with_id) = ();
    close $_ for $own_stdin, $control, $answers, $complaints, $failures;
}

# Exactly so many bytes of stdin: the rest belongs to the command.
sub take {
    my ($count) = @_;
    my $taken = '';
    while (length $taken < $count) {
        my $more = sysread STDIN, $taken, $count - length $taken, length $taken;
        next if !defined $more and $! == EINTR;
        exit 0 if !$more;
    }
    return $taken;
}

sub start_reading {
    my ($child, $type) = @_;
    my $handle = $child->{$type};
    $reader[fileno $handle] = [$child, $type, $handle];
    vec($reading, fileno $handle, 1) = 1;
}

sub stop_reading {
    my ($child, $type) = @_;
    my $handle = delete $child->{$type} or return;
    vec($reading, fileno $handle, 1) = 0;
    $reader[fileno $handle] = undef;
    close $handle;
}

# Reads one chunk from a child directly into the output for the parent. Returns its length; 0 at the end, or if there is
# nothing to read now.
sub relay {
    my ($child, $type, $handle) = @{ $reader[ $_[0] ] or return 0 };
    my $start = length $out;
    $out .= "\0" x HEADER;
    my $count = sysread $handle, $out, CHUNK, $start + HEADER;
    if ($count) {
        substr $out, $start, HEADER, pack('NaN', $count, $type, $child->{id});
        return $count;
    }
    substr $out, $start, HEADER, '';
    return 0 if !defined $count and ($! == $EAGAIN or $! == EINTR);
    stop_reading($child, $type);
    $short_polls = 5;
    return 0;
}

sub start_feeding {
    my ($child) = @_;
    my $handle = $child->{stdin};
    feed($child);
    return if !$child->{stdin};
    $writer[fileno $handle] = $child;
    vec($writing, fileno $handle, 1) = 1 if length $child->{input};
}

# A child need not read its input, so a failed write only ends the feeding.
sub feed {
    my ($child) = @_;
    if (length $child->{input}) {
        my $written = syswrite $child->{stdin}, $child->{input};
        if (defined $written) { substr $child->{input}, 0, $written, '' }
        elsif ($! != $EAGAIN and $! != EINTR) { return stop_feeding($child) }
    }
    return if length $child->{input};
    return stop_feeding($child) if $child->{whole};
    vec($writing, fileno $child->{stdin}, 1) = 0;
    send_frame('W', $child->{id}, '');
}

sub more_input {
    my ($id, $payload) = @_;
    my $child = $with_id{$id};
    return if !$child or !$child->{stdin};
    $child->{whole} = 1 if substr($payload, 0, 1) eq 'w';
    $child->{input} .= substr $payload, 1;
    vec($writing, fileno $child->{stdin}, 1) = 1;
}

sub stop_feeding {
    my ($child) = @_;
    my $handle = delete $child->{stdin} or return;
    my $descriptor = fileno $handle;
    if (defined $descriptor) {
        vec($writing, $descriptor, 1) = 0;
        $writer[$descriptor] = undef;
    }
    close $handle;
}

sub reap {
    while (%child_of or %dismissed) {
        my $pid = waitpid -1, WNOHANG;
        return if $pid <= 0;
        my $status = $?;
        delete $dismissed{$pid};
        my $child = delete $child_of{$pid} or next;
        finish($child, $status);
    }
}

sub finish {
    my ($child, $status) = @_;
    my ($id, $pid) = @$child{qw(id pid)};
    for my $type ('O', 'S') {
        drain(fileno $child->{$type}) if $child->{$type};
        stop_reading($child, $type);
    }
    stop_feeding($child);
    delete $with_id{$id};
    $left{$pid} = 1;
    forget_empty_groups();
    my $errno = why_not_started($pid, $status);
    my $gone = $left{$pid} ? 'L' : 'X';
    send_frame($errno ? ('F', $id, pack 'N', $errno) : ($gone, $id, pack 'N', $status));
}

# Reads what is in the pipe without waiting for its end: a grandchild may hold it open.
sub drain {
    my ($descriptor) = @_;
    my $taken = 0;
    $taken += relay($descriptor) || return while $taken < DRAIN_LIMIT;
}

# A child reports it before it exits, so by now it is in the pipe.
sub why_not_started {
    my ($pid, $status) = @_;
    return if $status != NOT_STARTED << 8;
    while (sysread $failures, my $report, 8) {
        my ($failed_pid, $errno) = unpack 'NN', $report;
        $errno_of{$failed_pid} = $errno;
    }
    return delete $errno_of{$pid};
}

# While a group has members the kernel does not reuse its number, so a process with that number means that it is gone.
sub is_left_behind { return kill(0, -$_[0]) && !kill(0, $_[0]) }

sub forget_empty_groups {
    is_left_behind($_) or delete $left{$_} for keys %left;
}

sub living_groups {
    while (%child_of and (my $pid = waitpid(-1, WNOHANG)) > 0) {
        delete $child_of{$pid};
        $left{$pid} = 1;
    }
    forget_empty_groups();
    my @groups = (keys %child_of, keys %left);
    return @groups;
}

sub end_everything {
    @spares = ();
    kill 'TERM', map { -$_ } living_groups();
    for (1 .. 100 * GRACE_SECONDS) {
        exit 0 if !living_groups();
        select undef, undef, undef, 0.01;
    }
    kill 'KILL', map { -$_ } living_groups();
    exit 0;
}
