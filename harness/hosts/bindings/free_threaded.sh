#!/usr/bin/env bash
# Makes Python without a global interpreter lock, from the source package of Debian 13, which has no binary of it:
#
#     harness/hosts/bindings/free_threaded.sh FOLDER
#
# FOLDER gets bin/python3.13t. Debian serves and signs the sources. apt uses separate lists and settings for them, so
# the lists and settings of the machine stay. Without the sources the script states the reason and ends with status 3.
set -euo pipefail
folder=$(realpath -m "${1:?the folder of Python}")
[ ! -x "$folder/bin/python3.13t" ] || exit 0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

cannot() { echo "Python without a global lock: $*"; exit 3; }

keys=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
    grep -m 1 '/debian/$') || cannot "apt knows no mirror of Debian here"
[ -f "$keys" ] || cannot "$keys is missing"
apt-get install -y --no-install-recommends make gcc libc6-dev libffi-dev libssl-dev zlib1g-dev >apt.log 2>&1 ||
    { apt-get update && apt-get install -y --no-install-recommends make gcc libc6-dev libffi-dev libssl-dev zlib1g-dev
    } >apt.log 2>&1 || cannot "what it is built with cannot be installed"
mkdir -p lists/partial cache/archives/partial
echo "deb-src [signed-by=$keys] $mirror trixie main" >sources.list
printf '%s\n' "Dir::Etc::sourcelist \"$scratch/sources.list\";" 'Dir::Etc::sourceparts "/dev/null";' \
    "Dir::State::lists \"$scratch/lists\";" "Dir::Cache \"$scratch/cache\";" 'APT::Sandbox::User "root";' >apt.conf
export APT_CONFIG=$scratch/apt.conf
{ apt-get update && apt-get source --download-only python3.13; } >apt.log 2>&1 ||
    cannot "its sources cannot be had: $(tail -n 1 apt.log)"
unset APT_CONFIG
mkdir python
tar -xJf python3.13_*.orig.tar.xz -C python --strip-components 1
cd python
{
    ./configure -q --prefix="$folder" --disable-gil --disable-test-modules CFLAGS='-O1 -g0' &&
        make -s -j"$(nproc)" && make -s install
} >"$scratch/build.log" 2>&1 || { tail -n 20 "$scratch/build.log" >&2; exit 1; }
