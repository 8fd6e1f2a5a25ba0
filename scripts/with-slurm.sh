#!/bin/bash
# with-slurm.sh [--cpus N] COMMAND... - runs COMMAND beside a Slurm cluster of one node, for tests.
# with-slurm.sh --slurmd              - inside: starts slurmd anew, after somebody killed it
#
# munged, slurmctld and slurmd of Debian on loopback, in namespaces of their own for processes and
# mounts: /run is private and empty, the munge key is made for the occasion, slurmd is configless
# (it asks slurmctld), state and logs are in a temporary folder ($WITH_SLURM for COMMAND), and
# whatever is left running ends with COMMAND, whose status this has.  Status 77: this machine
# cannot have such a cluster, and why.
set -u
export PATH=$PATH:/usr/sbin:/sbin
port=${WITH_SLURM_PORT:-$((20000 + $$ % 20000))}

cannot() {
    echo "no Slurm here: $*"
    exit 77
}

check() {
    local tool
    for tool in munged slurmctld slurmd sbatch unshare; do
        command -v $tool >/dev/null || cannot "there is no $tool (Debian: slurmctld slurmd slurm-client munge)"
    done
    [ "$(id -u)" -eq 0 ] || cannot "slurmd needs root"
    unshare --mount --pid --fork --mount-proc mount -t tmpfs tmpfs /run 2>/dev/null ||
        cannot "this container allows no namespaces"
}

# What waits in a real cluster (for nodes that do not answer, for jobs that do not end) waits for
# seconds here.
configure() { # CPUS
    local host
    host=$(hostname -s)
    cat <<END
ClusterName=heddle
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$WITH_SLURM/state
SlurmdSpoolDir=$WITH_SLURM/spool
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile=$WITH_SLURM/slurmctld.log
SlurmdLogFile=$WITH_SLURM/slurmd.log
SlurmctldParameters=enable_configless
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,bf_interval=1,defer_batch
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdTimeout=6
KillWait=2
MaxArraySize=1001
NodeName=$host NodeAddr=127.0.0.1 CPUs=$1 RealMemory=1000
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
}

start_slurmd() {
    env -u SLURM_CONF slurmd --conf-server "127.0.0.1:$port" >>"$WITH_SLURM/slurmd.err" 2>&1
}

wait_for_node() {
    for _ in $(seq 150); do
        [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && return
        sleep 0.1
    done
    cannot "the node is $(sinfo -h -o '%T %E' 2>&1 | tail -n 1); $(tail -n 1 "$WITH_SLURM/slurmd.err")"
}

# As the first process of its namespace.
inside() { # CPUS COMMAND...
    mount -t tmpfs tmpfs /run && mkdir -p /run/munge "$WITH_SLURM/state" "$WITH_SLURM/spool"
    (umask 077 && head -c 128 /dev/urandom >/run/munge/munge.key)
    munged --force --key-file=/run/munge/munge.key --log-file="$WITH_SLURM/munged.log" \
        --pid-file=/run/munge/munged.pid --seed-file=/run/munge/seed 2>"$WITH_SLURM/munged.err" ||
        cannot "munged does not start: $(tail -n 1 "$WITH_SLURM/munged.err")"
    configure "$1" >"$WITH_SLURM/slurm.conf"
    export SLURM_CONF=$WITH_SLURM/slurm.conf WITH_SLURM_PORT=$port
    slurmctld -c -f "$SLURM_CONF" 2>"$WITH_SLURM/slurmctld.err" ||
        cannot "slurmctld does not start: $(tail -n 1 "$WITH_SLURM/slurmctld.err")"
    start_slurmd
    wait_for_node
    shift
    "$@"
}

cpus=4
case ${1:-} in
--slurmd) start_slurmd; exit ;;
--inside) shift; inside "$@"; exit ;;
--cpus) cpus=$2; shift 2 ;;
esac
[ $# -gt 0 ] || { echo "usage: with-slurm.sh [--cpus N] COMMAND..." >&2; exit 2; }
check
while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 7)); done
WITH_SLURM=$(mktemp -d)
export WITH_SLURM WITH_SLURM_PORT=$port
trap 'rm -rf "$WITH_SLURM"' EXIT
unshare --mount --pid --fork --kill-child --mount-proc "$0" --inside "$cpus" "$@"
