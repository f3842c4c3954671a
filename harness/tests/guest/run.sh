#!/usr/bin/env bash
# Counts on real counters without having them: boots a small aarch64 machine whose performance
# monitoring unit QEMU emulates, and checks what our own counter code says there.
#
#   harness/tests/guest/run.sh             says what is missing, if anything is, and changes nothing
#   harness/tests/guest/run.sh --install   installs and fetches it first (Debian, as root)
#
# With `-icount shift=0` the emulated core retires one instruction per cycle and nanosecond, so the
# counts are exact. It has cycles and instructions, which fit in one pass; branch and cache events it
# does not know, and it has no slots to break down: several passes and the top-down events are tried
# with a kernel played by the unit tests only. No such emulation exists for x86. One boot takes about
# ten seconds.
#
# Exit code 0: all checks hold, or something is missing, which it then says. 1: a check does not
# hold. 2: it was called wrongly.
set -euo pipefail
cd "$(dirname "$0")/../../.."

target=aarch64-unknown-linux-musl
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/guest
kernel=${GUEST_KERNEL:-$folder/kernel}

# The newest cloud kernel of Debian 12: small, with console and counters built in, and packed as
# QEMU reads it. Its package is found with lists of its own, so that the machine's package manager
# learns of no other architecture.
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
    # What cannot be installed is named below, like anything that is missing.
    command -v qemu-system-aarch64 >/dev/null || install_qemu || true
    rustup -q target add "$target" || true
    [ -e "$kernel" ] || (fetch_kernel) || true
elif [ $# != 0 ]; then
    echo "$1 is not known here; the one option is --install." >&2
    exit 2
fi

missing=0
need() { # what it takes, sentence if that fails
    if ! eval "$1" >/dev/null 2>&1; then
        echo "$2"
        missing=1
    fi
}
need 'command -v cargo && command -v rustc' 'There is no Rust toolchain.'
need 'command -v qemu-system-aarch64' \
    'qemu-system-aarch64 is not installed; Debian has it in the package qemu-system-arm.'
need '[ -d "$(rustc --print sysroot)/lib/rustlib/$target" ]' \
    "The Rust target $target is not installed; rustup target add $target does it."
need '[ -e "$kernel" ]' \
    "There is no kernel at $kernel; --install fetches one, and GUEST_KERNEL names another."
if [ $missing = 1 ]; then
    echo "As root on Debian, $0 --install brings what is missing beside the Rust toolchain."
    echo 'skipped: nothing was tried.'
    exit 0
fi
mkdir -p "$folder"

# The toolchain's own linker and C library: no cross compiler is needed.
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
cargo build -q -p raywalk-harness --example counters --target "$target"
rustc --edition 2024 -D warnings -O -C linker=rust-lld -C strip=symbols --target "$target" \
    -o "$folder/init" harness/tests/guest/init.rs

# A file system of two programs and two empty folders, in the "newc" form of cpio.
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
    local said
    said=$(awk -v head="== $3" '/^== /{on = $0 == head} on' "$folder/$2.log")
    for line in "${@:4}"; do
        if ! grep -qxF -- "$line" <<<"$said"; then
            printf 'FAILED  %s\n        boot "%s", case "%s" does not say: %s\n' "$1" "$2" "$3" "$line"
            sed 's/^/        | /' <<<"$said"
            failed=1
            return
        fi
    done
    echo "ok      $1"
}

unknown='The hardware counters of this processor do not know this event.'
unnamed='The kernel names no such event for this processor.'
no_pmu='This machine shows no hardware counters; most virtual machines do not. Run on the machine itself, or have the hypervisor pass its counters through.'
paranoid() { # setting, setting that would do
    echo "The kernel keeps counters from unprivileged users (perf_event_paranoid is $1). Set kernel.perf_event_paranoid to $2 or lower, or grant CAP_PERFMON."
}
forbidden="A security policy, such as a container's seccomp filter, forbids counters. Allow perf_event_open in the container's security profile."
no_call='This kernel was built without performance events. Boot a kernel built with CONFIG_PERF_EVENTS.'

boot exact max -icount shift=0
check 'a loop of 1,000,000 turns is 2,000,000 instructions, to the last one' exact 'paranoid 2' \
    'counted cycles' 'counted instructions' 'pass 0, 1000000 turns: 2000000 instructions'
check 'the emulated core takes one cycle for each' exact 'paranoid 2' \
    'pass 0, 1000000 turns: 2000000 cycles'
check 'branch and cache events are unsupported, and cost no other event' exact 'paranoid 2' \
    "absent branches: $unknown" "absent branch-misses: $unknown" \
    "absent l1d-read-misses: $unknown" "absent ll-read-misses: $unknown" \
    "absent dtlb-read-misses: $unknown"
check 'events that only some processors have are not named here' exact 'paranoid 2' \
    "absent l2-misses: $unnamed" "absent slots: $unnamed" "absent slots-retiring: $unnamed" \
    "absent slots-bad-speculation: $unnamed" "absent slots-frontend-bound: $unnamed" \
    "absent slots-backend-bound: $unnamed"
check 'eight sets share the counters: no value of them is kept, and none is scaled' exact \
    'paranoid 2' '8 at once: readings whole 0, rejected 8, values kept of the rejected 0'
check 'once they take turns, every one of them is whole again' exact 'paranoid 2' \
    '8 in turn: readings whole 8, rejected 0'
check 'one set over the same loop has the counters to itself' exact 'paranoid 2' \
    '1 at once: readings whole 1, rejected 0, values kept of the rejected 0'
check 'a permission is named with its setting' exact 'paranoid 3' \
    "absent cycles: $(paranoid 3 2)" "absent instructions: $(paranoid 3 2)" \
    "absent branch-misses: $(paranoid 3 2)" "absent slots: $(paranoid 3 2)"
check 'an event of the kernel takes a lower setting than one of the processor' exact \
    'paranoid 2' "absent page-faults: $(paranoid 2 1)"
check 'a filter that answers EPERM is a policy' exact 'seccomp EPERM' \
    "absent cycles: $forbidden" "absent page-faults: $forbidden"
check 'a kernel that answers ENOSYS has no performance events' exact 'seccomp ENOSYS' \
    "absent cycles: $no_call" "absent page-faults: $no_call"
check 'context switches are counted without any permission' exact 'paranoid 3' \
    'counted context-switches'

boot without max,pmu=off -icount shift=0
check 'a machine without counters says so' without 'paranoid 2' \
    "absent cycles: $no_pmu" "absent instructions: $no_pmu" "absent branch-misses: $no_pmu"

# Without exact time the emulation counts cycles only.
boot inexact max
check 'instructions can be missing where cycles are counted' inexact 'paranoid 2' \
    'counted cycles' "absent instructions: $unknown"

for boot in exact without inexact; do
    check "every case of the boot \"$boot\" came to its end" "$boot" end '== end'
done
[ $failed = 1 ] || echo 'All checks hold.'
exit $failed
