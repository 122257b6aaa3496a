# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# environment.sh PREFIX WORK, to be sourced: Go with the library in PREFIX, without a network, writing to WORK only.
pc=$(find "$1" -name xlashape.pc | head -n 1)
[[ -n $pc ]] || { echo "environment.sh: there is no xlashape.pc below $1" >&2; exit 2; }
PKG_CONFIG_PATH=$(dirname "$pc")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
export GOCACHE=$2/cache GOPATH=$2/path GOTMPDIR=$2 GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOSUMDB=off
export GO111MODULE=on CGO_ENABLED=1 GOWORK=off
