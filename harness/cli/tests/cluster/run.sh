#!/usr/bin/env bash
# Tests docs/cluster on a real Slurm of one node: starts munged, slurmctld and slurmd on the loopback interface, submits
# perft to depth 7 as an array job with a dependent job that adds the answers, and compares the sum with the published
# count. Then it measures a plan in three shards, queues one again while it runs, and merges them in a dependent job.
# Nothing outside the target folder is changed, except that --install installs Debian packages.
#
#   harness/cli/tests/cluster/run.sh             lists what is missing, if anything, and changes nothing
#   harness/cli/tests/cluster/run.sh --install   installs it first (Debian, as root)
#
# The variable RAYWALK names a program to test. Without it, the program is built.
#
# Exit code 0: the check passed, or something is missing, which is printed. 1: the check failed. 2: wrong arguments.
set -euo pipefail
cd "$(dirname "$0")/../../../.."
root=$PWD

case ${1:-} in
'') ;;
--install) apt-get update -qq && apt-get install -y -qq --no-install-recommends munge slurmctld slurmd slurm-client >/dev/null ;;
*) echo "usage: $0 [--install]" >&2 && exit 2 ;;
esac

for program in munged slurmctld slurmd sbatch; do
    if ! command -v "$program" >/dev/null; then
        echo "missing: $program; --install installs it"
        exit 0
    fi
done
if [ "$(id -u)" != 0 ]; then
    echo 'missing: the rights to start slurmd, which runs as root'
    exit 0
fi

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
if [ -z "${RAYWALK:-}" ]; then
    cargo build --release -q -p raywalk
fi
program=$(realpath "${RAYWALK:-$target/release/raywalk}")
folder=$target/cluster
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/state" "$folder/spool"
ln -s "$program" "$folder/bin/raywalk"
export PATH="$folder/bin:$PATH"
chmod 755 "$folder"

stop() {
    for name in slurmd slurmctld munged; do
        [ ! -s "$folder/$name.pid" ] || kill "$(cat "$folder/$name.pid")" 2>/dev/null || true
    done
}
trap stop EXIT

head -c 1024 /dev/urandom >"$folder/munge.key"
chmod 600 "$folder/munge.key"
munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
    --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"

host=$(hostname -s)
cat >"$folder/slurm.conf" <<CONF
ClusterName=raywalk
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthInfo=socket=$folder/munge.socket,cred_expire=2
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SlurmctldPort=16817
SlurmdPort=16818
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
CONF
export SLURM_CONF=$folder/slurm.conf
slurmctld
slurmd
for _ in $(seq 60); do
    [ "$(sinfo -h -o %T 2>/dev/null)" = idle ] && break
    sleep 1
done
sinfo

cd "$folder"
raywalk perft 7 --split 2 --count bulk >jobs.txt
echo "$(wc -l <jobs.txt) jobs"
array=$(sbatch --parsable --array=0-7 "$root/docs/cluster/perft.sbatch" jobs.txt answers)
sbatch --wait --output=sum.txt --dependency=afterok:"$array" \
    --wrap 'cat answers/*.json | raywalk perft 7 --split 2 --count bulk --sum -'
cat sum.txt
grep -q '^3195901860 leaves at depth 7 ' sum.txt || {
    echo 'FAILED: not the published count'
    exit 1
}

rm answers/3.json
code=0
cat answers/*.json | raywalk perft 7 --split 2 --count bulk --sum - 2>refusal || code=$?
cat refusal
[ "$code" = 2 ] && grep -q 'without an answer' refusal || {
    echo 'FAILED: missing answers are not refused'
    exit 1
}

# A plan in shards. Each takes some ten seconds.
cat >small.toml <<'PLAN'
rounds = 1200
processes = 6
designs = ["bell/last-square", "bitboard/hyperbola"]

[[panels]]
workload = "ab4"

[[panels]]
workload = "cycle-256"
PLAN
rounds() { grep -c '"record":"round"' "$1/journal.jsonl" 2>/dev/null || true; }
array=$(sbatch --parsable --array=1-3 "$root/docs/cluster/run.sbatch" results --plan small.toml --seed 7)
first=results/shard-1
for _ in $(seq 600); do
    [ "$(rounds $first)" -gt 100 ] 2>/dev/null && break
    sleep 0.1
done
scontrol requeue "${array}_1"
kept=$(rounds $first)
head -n 100 $first/journal.jsonl >before.jsonl
echo "requeued with $kept rounds"
sbatch --wait --output=merged.txt --dependency=afterok:"$array" \
    --wrap 'raywalk merge results/all results/shard-* && raywalk report results/all'
cat merged.txt
failed() {
    echo "FAILED: $1"
    exit 1
}
[ "$kept" -lt "$(rounds $first)" ] || failed 'the first shard was not stopped before its end'
head -n 100 $first/journal.jsonl | cmp - before.jsonl || failed 'the requeued task began anew'
[ "$(rounds results/all)" = 2400 ] || failed 'the merged journal lacks rounds'
grep -q '3 merged shards' results/all/report.html || failed 'the page does not say what it shows'
code=0
raywalk merge results/two results/shard-1 results/shard-3 2>refusal || code=$?
cat refusal
[ "$code" = 2 ] && grep -q 'a shard is missing: 2/3' refusal || failed 'a missing shard is not refused'
echo 'all checks passed'
