#!/bin/sh
# Makes the user, and gives it its folders: slipway init, as this user, writes keys and settings there. The service is
# not started: it has no settings yet.
set -e

if ! getent group slipway >/dev/null; then
	groupadd --system slipway
fi

if ! getent passwd slipway >/dev/null; then
	useradd --system --gid slipway --home-dir /var/lib/slipway --no-create-home --shell /usr/sbin/nologin slipway
fi

install -d -m 0700 -o slipway -g slipway /var/lib/slipway
install -d -m 0700 -o slipway -g slipway /etc/slipway
chown slipway:slipway /etc/slipway/slipway.toml
chmod 0600 /etc/slipway/slipway.toml

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
