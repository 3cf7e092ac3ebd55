# shellcheck shell=sh
# Sourced by scripts/run, scripts/test, scripts/setup, scripts/docs and deploy/install to set up the
# project's own Python environment in .venv. Needs nothing but a Python, and sets nothing up twice.

NEW_ENOUGH='import sys; sys.exit(sys.version_info < (3, 11))'
NAMED='import ensurepip, sys, venv
if sys.version_info >= (3, 11) and sys.version_info.releaselevel == "final":
    print(sys.version_info.minor, sys.executable)'

fail() {
    printf '%s\n' "$@" >&2
    exit 2
}

# Print the Pythons that are new enough and can make environments, one per line, the oldest first:
# the y of 3.y, and the path. Of two with the same y, that of the system comes first: distributions
# build theirs with optimization, and pyenv by default does not, so the bot is about 15% slower there.
pythons() {
    home=${HOME-}
    pyenv=${PYENV_ROOT-$home/.pyenv}
    case :$PATH: in
        *:/usr/bin:*) first=/usr/bin: ;;
        *) first='' ;;
    esac
    { printf '%s\n' "$first$PATH" | tr : '\n'
      printf '%s\n' "$pyenv"/versions/*/bin "$home"/.local/share/uv/python/*/bin
    } | while read -r folder; do
        for python in "$folder"/python3 "$folder"/python "$folder"/python3.[0-9][0-9]; do
            [ -x "$python" ] && "$python" -c "$NAMED" </dev/null 2>/dev/null
        done
    done | sort -s -n -k 1,1
}

# Print the oldest Python that is new enough, because the bot is tested on it most.
find_python() {
    python=$(pythons | sed -n '1s/^[0-9]* //p')
    if [ -z "$python" ]; then
        found=$(python3 --version 2>/dev/null || echo 'no Python at all')
        fail "Python 3.11 or newer is needed; here is $found." \
            'Get it from https://www.python.org/downloads/ or from your system, then start again.' \
            'It needs its module venv; on Debian or Ubuntu: apt install python3-venv'
    fi
    echo "$python"
}

# make_venv FOLDER PYTHON
make_venv() {
    echo "Making $1 with $("$2" --version) ..." >&2
    rm -rf "$1"
    "$2" -m venv "$1" || {
        rm -rf "$1"
        fail 'This Python cannot make environments; see above.'
    }
}

# have_venv [FOLDER PYTHON]: make .venv, or the other folder, unless its Python is new enough.
have_venv() {
    venv=${1-.venv}
    if ! "$venv/bin/python" -c "$NEW_ENOUGH" 2>/dev/null; then
        python=${2-$(find_python)} || exit 2
        make_venv "$venv" "$python"
    fi
}

# provide FILE [FOLDER PYTHON]: install the packages of a requirements file into .venv or another
# folder: exactly these versions, with these hashes, and only packages that need not be built.
# The stamp is the hash of all requirements files: pip runs only if it is missing or differs.
provide() {
    file=$1
    shift
    have_venv "$@"
    stamp=$venv/${file##*/}.stamp
    wanted=$(cat requirements.txt requirements/*.txt | "$venv/bin/python" -c \
        'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())')
    [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && return
    echo "Installing the packages of $file ..." >&2
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --require-hashes --only-binary :all: --requirement "$file" >&2 ||
        fail 'Installing failed; see above.'
    echo "$wanted" >"$stamp"
}
