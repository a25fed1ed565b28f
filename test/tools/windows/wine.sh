#!/usr/bin/env bash
# Runs a program in Wine: wine.sh FOLDER NODE_VERSION PROJECT LOG PROGRAM ARGUMENTS…
# FOLDER is that of setUp.sh. PROJECT is Z:\work there, and the working folder; Node is Z:\node\bin\node.exe. LOG gets the output: a pipe
# of Linux is EBADF there. LC_ALL: without it the folder 漢 cannot be made. No TMPDIR: Wine 10 crashes. Wine finds itself by /proc.
set -euo pipefail
folder=$(cd "$1" && pwd) version=$2 project=$(cd "$3" && pwd) log=$4
shift 4
root=$folder/debian
export folder version project root
# Two at once would share one Windows.
exec 9>"$folder/lock"
flock -n 9 || { echo "Another run uses $folder." >&2; exit 1; }
# The mounts end with the processes in their namespaces, and these with `unshare`, which only SIGKILL ends.
unshare --mount --pid --fork --kill-child --propagation private bash -c '
  mkdir -p "$root/work" "$root/node"
  mount --bind "$project" "$root/work"
  mount --bind "$folder/node-$version" "$root/node"
  mount -t proc proc "$root/proc"
  mount --bind /dev "$root/dev"
  exec chroot "$root" env -i HOME=/root PATH=/usr/bin:/bin LC_ALL=C.UTF-8 WINEPREFIX=/prefix WINEDEBUG=-all NO_COLOR=1 CI=1 \
    sh -c "cd /work; \"\$@\"; exit \$?" sh "$@"' bash "$@" </dev/null >"$log" 2>&1 &
child=$!
trap 'kill -KILL "$child"' TERM INT
wait "$child"
