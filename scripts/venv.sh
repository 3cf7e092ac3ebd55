# shellcheck shell=sh
# Sourced by scripts/run and scripts/test: the project's own Python environment in .venv.
# Needs nothing but a Python of its own, and sets nothing up twice.

NEW_ENOUGH='import sys; sys.exit(sys.version_info < (3, 11))'

fail() {
    printf '%s\n' "$@" >&2
    exit 2
}

# Print the name of a Python that is new enough; the oldest such one is the best tried.
find_python() {
    for python in python3.11 python3.12 python3.13 python3 python; do
        if "$python" -c "$NEW_ENOUGH" 2>/dev/null; then
            echo "$python"
            return
        fi
    done
    found=$(python3 --version 2>/dev/null || echo 'no Python at all')
    fail "Python 3.11 or newer is needed; here is $found." \
        'Get it from https://www.python.org/downloads/ or from your system, then start again.'
}

make_venv() {
    python=$(find_python) || exit 2
    echo "Making .venv with $("$python" --version) ..." >&2
    rm -rf .venv
    "$python" -m venv .venv || {
        rm -rf .venv
        fail 'This Python cannot make environments; on Debian or Ubuntu: apt install python3-venv'
    }
}

# Make .venv hold what a file of requirements asks for.
# The stamp is the hash of all such files: where it is missing or another, pip has work to do.
provide() {
    .venv/bin/python -c "$NEW_ENOUGH" 2>/dev/null || make_venv
    stamp=.venv/$1.stamp
    wanted=$(cat requirements*.txt | .venv/bin/python -c \
        'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())')
    [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
    echo "Installing what $1 asks for ..." >&2
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --requirement "$1" >&2 ||
        fail 'Installing failed; see above.'
    echo "$wanted" >"$stamp"
}
