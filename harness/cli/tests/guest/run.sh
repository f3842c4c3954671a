#!/usr/bin/env bash
# Tests the counter code on emulated hardware counters: boots a small aarch64 machine in QEMU, which
# emulates a performance monitoring unit, and checks the output of the example `counters` there.
#
#   harness/cli/tests/guest/run.sh             lists what is missing, if anything, and changes nothing
#   harness/cli/tests/guest/run.sh --install   installs and downloads it first (Debian, as root)
#
# With `-icount shift=0` the emulated core retires one instruction per cycle and per nanosecond, so the
# counts are exact. It has the events cycles and instructions, which fit in one pass, but no branch, cache
# or top-down events; several passes and the top-down events are covered only by unit tests with a fake
# kernel. QEMU has no such emulation for x86. One boot takes about ten seconds.
#
# Exit code 0: all checks passed, or something is missing, which is printed. 1: a check failed. 2: wrong
# arguments.
set -euo pipefail
cd "$(dirname "$0")/../../../.."

target=aarch64-unknown-linux-musl
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/guest
kernel=${GUEST_KERNEL:-$folder/kernel}

# The newest cloud kernel of Debian 12: small, with console and counters built in, and in a format that
# QEMU loads. Separate package lists keep the configuration of the host's package manager unchanged.
fetch_kernel() {
    local apt=$folder/apt keys=/usr/share/keyrings/debian-archive-keyring.gpg package
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo "deb [arch=arm64 signed-by=$keys] http://deb.debian.org/debian bookworm main" >"$apt/sources.list"
    local options=(
        -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root
        -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache"
        -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=-
    )
    apt-get "${options[@]}" update
    package=$(apt-cache "${options[@]}" search --names-only '^linux-image-.*-cloud-arm64-unsigned$' |
        cut -d' ' -f1 | sort -V | tail -n1)
    (cd "$apt" && apt-get "${options[@]}" download "$package")
    dpkg -x "$apt/$package"_*.deb "$apt/unpacked"
    cp "$apt"/unpacked/boot/vmlinuz-* "$kernel"
    rm -rf "$apt"
}

install_qemu() {
    apt-get -qq update && apt-get -qq install -y --no-install-recommends qemu-system-arm >/dev/null
}

if [ "${1:-}" = --install ]; then
    # If an installation fails, the checks below report what is missing.
    command -v qemu-system-aarch64 >/dev/null || install_qemu || true
    rustup -q target add "$target" || true
    [ -e "$kernel" ] || (fetch_kernel) || true
elif [ $# != 0 ]; then
    echo "unknown option $1; the only option is --install" >&2
    exit 2
fi

missing=0
need() { # test command, sentence if it fails
    if ! eval "$1" >/dev/null 2>&1; then
        echo "$2"
        missing=1
    fi
}
need 'command -v cargo && command -v rustc' 'The Rust toolchain is not installed.'
need 'command -v qemu-system-aarch64' \
    'qemu-system-aarch64 is not installed; Debian has it in the package qemu-system-arm.'
need '[ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]' \
    "The Rust target $target is not installed; run: rustup target add $target"
need '[ -e "$kernel" ]' \
    "There is no kernel at $kernel; --install downloads one, or set GUEST_KERNEL to its path."
if [ $missing = 1 ]; then
    echo "On Debian, run $0 --install as root to install everything except the Rust toolchain."
    echo 'skipped: nothing was tested.'
    exit 0
fi
mkdir -p "$folder"

# The toolchain brings its own linker and C library, so no cross compiler is needed.
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
cargo build -q -p raywalk-measure --example counters --target "$target"
rustc --edition 2024 -D warnings -O -C linker=rust-lld -C strip=symbols --target "$target" \
    -o "$folder/init" harness/cli/tests/guest/init.rs

# A file system with two programs and two empty folders, in the "newc" format of cpio.
entry() { # name, mode, [file]
    local size=0
    [ $# -lt 3 ] || size=$(stat -c %s "$3")
    printf '070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\0' \
        0 "0x$2" 0 0 1 0 "$size" 0 0 0 0 $((${#1} + 1)) 0 "$1"
    head -c $(((4 - (110 + ${#1} + 1) % 4) % 4)) /dev/zero
    [ $# -lt 3 ] || cat "$3"
    head -c $(((4 - size % 4) % 4)) /dev/zero
}
{
    entry proc 41ed
    entry sys 41ed
    entry init 81ed "$folder/init"
    entry counters 81ed "${CARGO_TARGET_DIR:-target}/$target/debug/examples/counters"
    entry 'TRAILER!!!' 0
} >"$folder/initrd"

boot() { # name, cpu, further options
    local began=$SECONDS
    timeout 300 qemu-system-aarch64 -M virt -cpu "$2" -accel tcg -m 512 -smp 1 -nographic -nic none \
        -no-reboot -kernel "$kernel" -initrd "$folder/initrd" \
        -append 'console=ttyAMA0 panic=-1 quiet' "${@:3}" </dev/null 2>&1 |
        tr -d '\r' >"$folder/$1.log" || true
    echo "boot \"$1\" took $((SECONDS - began))s"
}

failed=0
check() { # sentence, boot, case, lines that the case must print
    local output
    output=$(awk -v head="== $3" '/^== /{on = $0 == head} on' "$folder/$2.log")
    for line in "${@:4}"; do
        if ! grep -qxF -- "$line" <<<"$output"; then
            printf 'FAILED  %s\n        boot "%s", case "%s" lacks the line: %s\n' "$1" "$2" "$3" "$line"
            sed 's/^/        | /' <<<"$output"
            failed=1
            return
        fi
    done
    echo "ok      $1"
}

# The sentences of `Reason` in raywalk-results, with their remedies.
unknown='The hardware counters of this processor do not support this event.'
unnamed='The kernel has no name for this event on this processor.'
no_pmu='This machine has no hardware counters; most virtual machines have none. Run on the physical machine, or have the hypervisor pass its counters through.'
paranoid() { # current setting, sufficient setting
    echo "The kernel denies counters to unprivileged users (perf_event_paranoid is $1). Set kernel.perf_event_paranoid to $2 or lower, or grant CAP_PERFMON."
}
forbidden="A security policy, such as a container's seccomp filter, forbids counters. Allow perf_event_open in the container's security profile."
no_call='This kernel was built without performance events. Boot a kernel built with CONFIG_PERF_EVENTS.'

boot exact max -icount shift=0
check 'a loop of 1,000,000 turns counts exactly 2,000,000 instructions' exact 'paranoid 2' \
    'counted cycles' 'counted instructions' 'pass 0, 1000000 turns: 2000000 instructions'
check 'the emulated core takes one cycle per instruction' exact 'paranoid 2' \
    'pass 0, 1000000 turns: 2000000 cycles'
check 'branch and cache events are unsupported and disable no other event' exact 'paranoid 2' \
    "absent branches: $unknown" "absent branch-misses: $unknown" \
    "absent l1d-read-misses: $unknown" "absent ll-read-misses: $unknown" \
    "absent dtlb-read-misses: $unknown"
check 'events of particular processors have no name here' exact 'paranoid 2' \
    "absent l2-misses: $unnamed" "absent slots: $unnamed" "absent slots-retiring: $unnamed" \
    "absent slots-bad-speculation: $unnamed" "absent slots-frontend-bound: $unnamed" \
    "absent slots-backend-bound: $unnamed"
check 'if eight sets share the counters, their values are rejected and not scaled' exact \
    'paranoid 2' '8 at once: readings whole 0, rejected 8, values kept of the rejected 0'
check 'if the sets take turns, all their readings are whole' exact 'paranoid 2' \
    '8 in turn: readings whole 8, rejected 0'
check 'one set alone has whole readings' exact 'paranoid 2' \
    '1 at once: readings whole 1, rejected 0, values kept of the rejected 0'
check 'a missing permission is reported with its setting' exact 'paranoid 3' \
    "absent cycles: $(paranoid 3 2)" "absent instructions: $(paranoid 3 2)" \
    "absent branch-misses: $(paranoid 3 2)" "absent slots: $(paranoid 3 2)"
check 'a kernel event needs a lower setting than a processor event' exact \
    'paranoid 2' "absent page-faults: $(paranoid 2 1)"
check 'EPERM from a filter is reported as a security policy' exact 'seccomp EPERM' \
    "absent cycles: $forbidden" "absent page-faults: $forbidden"
check 'ENOSYS is reported as a kernel without performance events' exact 'seccomp ENOSYS' \
    "absent cycles: $no_call" "absent page-faults: $no_call"
check 'context switches are counted without permissions' exact 'paranoid 3' \
    'counted context-switches'

boot without max,pmu=off -icount shift=0
check 'a machine without counters is reported as such' without 'paranoid 2' \
    "absent cycles: $no_pmu" "absent instructions: $no_pmu" "absent branch-misses: $no_pmu"

# Without -icount the emulation counts cycles only.
boot inexact max
check 'cycles are counted even if instructions are not' inexact 'paranoid 2' \
    'counted cycles' "absent instructions: $unknown"

for boot in exact without inexact; do
    check "the boot \"$boot\" ran to its end" "$boot" end '== end'
done
[ $failed = 1 ] || echo 'All checks passed.'
exit $failed
