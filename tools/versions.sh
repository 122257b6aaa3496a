# SPDX-License-Identifier: Apache-2.0
# The versions of other people's programs with which the integrations are tested: the newest, and one a year older.
# Sourced.
# shellcheck shell=bash disable=SC2034
jax_newest=0.10.2
jax_older=0.8.1
torch_newest=2.15.0
torch_older=2.9.1
