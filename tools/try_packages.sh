#!/usr/bin/env bash
# try_packages.sh [--dev]: installs the packages of build/packages in a bare Debian 12 and uses them there. Run by
# hand and as root, after './dev package'; needs debootstrap and the network. Takes the mirror, its proxy and
# its keys from the apt of this machine. With --dev also builds the program of tests/consumer against libscrl-dev.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=(build/packages/scrl_*.deb build/packages/libscrl-dev_*.deb)
[[ -f ${packages[0]} ]] || { echo "try_packages: no packages; run ./dev package" >&2; exit 1; }
((EUID == 0)) || { echo "try_packages: must be run as root, for debootstrap and chroot" >&2; exit 1; }
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | head -n1)}
[[ -n $mirror ]] || { echo "try_packages: apt of this machine has no bookworm; set MIRROR" >&2; exit 1; }
root=$(mktemp -d "${TMPDIR:-/var/tmp}/scrl-root-XXXXXX")  # TMPDIR=/dev/shm is faster
chmod 755 "$root"
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf --one-file-system "$root"' EXIT
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }

debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || { tail "$root.log" >&2; exit 1; }
rm -f "$root.log"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
ln -sfn /proc/self/fd "$root/dev/fd"  # bash needs it for <(...)
rm -f "$root/etc/apt/sources.list"
cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d /etc/apt/trusted.gpg.d "$root/etc/apt/" 2>/dev/null || true
mkdir -p "$root/packages"
cp "${packages[@]}" "$root/packages/"
inside apt-get -qq update
install_here() { inside sh -c "DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $*"; }
install_here "/packages/scrl_*.deb"

echo "== files"; inside dpkg -L scrl | grep -E '/(bin|man1|completions|vendor)' | head -n 12
echo "== libraries"; inside ldd /usr/bin/scrl
inside scrl version
inside scrl train demo:nodes=400 -m gcn --epochs 20 -q -o /tmp/run
inside scrl predict /tmp/run -q -o /tmp/predictions.csv
[[ $(inside wc -l </dev/null /tmp/predictions.csv | cut -d' ' -f1) == 401 ]]
inside scrl convert demo:nodes=400 --to graphml -o /tmp/demo.graphml
inside bash -c 'source /usr/share/bash-completion/completions/scrl
  COMP_WORDS=(scrl train demo --prot) COMP_CWORD=3; _scrl; [[ ${COMPREPLY[*]} == --protocol ]]'
if [[ "${1:-}" == --dev ]]; then
  install_here "/packages/libscrl-dev_*.deb g++ cmake ninja-build pkg-config"
  cp -r tests/consumer "$root/consumer"
  inside cmake -S /consumer -B /consumer/build -G Ninja
  inside cmake --build /consumer/build
  inside /consumer/build/consumer /tmp/consumer-run
  inside bash -c 'g++ /consumer/main.cc -o /tmp/by-pkg-config $(pkg-config --static --cflags --libs scrl) &&
    /tmp/by-pkg-config /tmp/consumer-run-2'
fi
inside apt-get -qq purge -y scrl >/dev/null
! inside test -e /usr/bin/scrl
echo "the packages work in a bare Debian 12"
