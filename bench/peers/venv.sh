#!/usr/bin/env bash
# Makes a throw-away virtual environment with the newest PyTorch that pip finds, PyG, SciPy, NumPy, gensim, scikit-learn
# and LightGBM.
#   bench/peers/venv.sh [FOLDER]        default: build/peers/venv
# The usual Linux wheel of PyTorch also computes on the CPU, but does not import without the CUDA
# libraries it depends on (about 6 GB in all). Where an index of CPU-only wheels is at hand, name it in
# PEERS_PIP_ARGS, whose words are handed to pip. If pip fails, Debian's python3-torch is taken.
# Its last line is the Python to run the peers with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:-build/peers/venv}
python="$folder/bin/python"

works() { "$1" -c 'import numpy, scipy, torch' 2>/dev/null; }
report() {
  "$1" - <<'END'
import importlib.metadata as m, sys
names = ("torch", "torch_geometric", "scipy", "numpy", "gensim", "scikit_learn", "lightgbm")
have = {d.metadata["Name"].lower().replace("-", "_"): d.version for d in m.distributions()}
print("python", sys.version.split()[0])
for n in names:
    print(n, have.get(n, "not installed"))
END
}

if works "$python"; then
  echo "there already: $folder"
else
  start=$SECONDS
  python3 -m venv "$folder"
  # shellcheck disable=SC2086  # several words are meant
  if "$python" -m pip install --quiet --disable-pip-version-check ${PEERS_PIP_ARGS:-} \
      torch torch_geometric scipy numpy && works "$python"; then
    echo "made $folder in $((SECONDS - start)) s, $(du -sh "$folder" | cut -f1)"
  elif works /usr/bin/python3; then
    echo "pip could not install a working torch; falling back to Debian's python3-torch (old)"
    rm -rf "$folder"
    python3=/usr/bin/python3
    "$python3" -m venv --system-site-packages "$folder"
    # Without it only the variant pyg is missing.
    "$python" -m pip install --quiet --disable-pip-version-check ${PEERS_PIP_ARGS:-} torch_geometric || true
  else
    echo "neither pip nor Debian gives a torch that imports; try: apt-get install python3-torch python3-scipy" >&2
    exit 1
  fi
fi
# What bench/peers/skipgram.py and bench/accuracy.py compare with; the other peers do without.
for wanted in gensim:gensim sklearn:scikit-learn lightgbm:lightgbm; do
  # shellcheck disable=SC2086
  "$python" -c "import ${wanted%:*}" 2>/dev/null ||
    "$python" -m pip install --quiet --disable-pip-version-check ${PEERS_PIP_ARGS:-} "${wanted#*:}" ||
    echo "pip could not install ${wanted#*:}: skipgram.py takes gensim and scikit-learn, accuracy.py the last two"
done
report "$python"
echo "$python"
