#!/usr/bin/env bash
# Makes a throw-away virtual environment with openTSNE, for bench/peers/tsne.py.
#   bench/peers/tsne_venv.sh [FOLDER]        default: build/peers/tsne
# Words in PEERS_PIP_ARGS are handed to pip. If pip fails, Debian's python3-sklearn is taken, and scikit-learn is the
# peer. Its last line is the Python to run with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
folder=${1:-build/peers/tsne}
python="$folder/bin/python"

if ! "$python" -c 'import openTSNE' 2>/dev/null; then
  python3 -m venv "$folder"
  # shellcheck disable=SC2086  # several words are meant
  if ! "$python" -m pip install --quiet --disable-pip-version-check ${PEERS_PIP_ARGS:-} openTSNE ||
      ! "$python" -c 'import openTSNE'; then
    echo "pip could not install a working openTSNE; scikit-learn is the peer" >&2
    python=/usr/bin/python3
    "$python" -c 'import sklearn' || { echo "nor is there scikit-learn; try: apt-get install python3-sklearn" >&2; exit 1; }
  fi
fi
echo "$python"
