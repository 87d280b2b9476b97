#!/bin/sh
# Stops the service where the package goes for good. An upgrade leaves it running until it is started again.
set -e

case "${1:-remove}" in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now slipway.service || true
	fi
	;;
esac
