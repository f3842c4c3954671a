#!/bin/sh
# Gates a move generator: a change must be right, must not execute more instructions, and must not be slower.
#
#   gate.sh BASE NEW
#   gate.sh --programs BASE NEW
#
# BASE and NEW are two builds of one plug-in with the same id: of the branch that the change goes to, and of the change.
# With --programs they are two builds of Raywalk itself, and all its designs are gated; whether these are right is left
# to its tests. Everything is written to the folder gate/; gate/new/report.html is the page to keep. All checks are made.
# The exit code is 0 if they passed, 1 if one failed, and higher if one could not be made. Variables change the defaults
# in brackets; the second one is that of --programs:
#
#   RAYWALK  the program [raywalk; BASE and NEW]
#   PLAN     what is timed [gate.toml beside this script; quick]
#   COUNTS   largest increase of executed instructions [0.5%]
#   TIME     largest increase of time [2%; 3%]
#   OUT      the folder that is written, and replaced [gate]
set -u

programs=
if [ "${1-}" = --programs ]; then
    programs=yes
    shift
fi
[ $# = 2 ] || { echo "usage: $0 [--programs] BASE NEW" >&2; exit 2; }
if [ "$programs" ]; then
    raywalk=$2
    plan=${PLAN:-quick}
    slower=${TIME:-3%}
else
    raywalk=${RAYWALK:-raywalk}
    plan=${PLAN:-$(dirname "$0")/gate.toml}
    slower=${TIME:-2%}
fi
out=${OUT:-gate}
worst=0

check() { # what to check, and the command that does it
    printf '\n== %s\n' "$1"
    shift
    "$@"
    code=$?
    [ "$code" -le "$worst" ] || worst=$code
    return "$code"
}

trace() { # plug-in or program, file
    if [ "$programs" ]; then
        "$1" trace --format json >"$2"
    else
        "$raywalk" trace --plugin "$1" --workload ab4 --max-positions 400 --stage all --stage captures \
            --format json >"$2"
    fi
}

run() { # plug-in or program, folder
    if [ "$programs" ]; then
        "$1" run --plan "$plan" --seed 1 --out "$2"
    else
        "$raywalk" run --plan "$plan" --plugin "$1" --seed 1 --out "$2"
    fi
}

rm -rf "$out"
mkdir -p "$out" || exit 2

# A wrong generator is not timed.
[ "$programs" ] || check 'the change is right' "$raywalk" verify --plugin "$2" || exit "$worst"

# Counts are exact and the same on every x86-64 machine with the same compiler, so they gate on a busy runner too.
if [ "$(uname -sm)" = 'Linux x86_64' ]; then
    check 'instructions of the base' trace "$1" "$out/base.json" &&
        check 'instructions of the change' trace "$2" "$out/new.json" &&
        check 'the change executes no more instructions' \
            "$raywalk" compare "$out/base.json" "$out/new.json" --gate "${COUNTS:-0.5%}"
else
    printf '\nskipped: instructions are counted on x86-64 Linux only\n'
fi

check 'times of the base' run "$1" "$out/base" &&
    check 'times of the change' run "$2" "$out/new" &&
    check 'no slowdown beyond the gate is resolved' "$raywalk" compare "$out/base" "$out/new" --gate "$slower"

exit "$worst"
