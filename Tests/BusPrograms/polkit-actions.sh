#!/bin/sh
# Asks the real polkitd by a rule: polkit-actions.sh RULE-FILE, in namespaces of its own. A line each: who asks for
# which of timedate1's actions, and pkcheck's exit status (0 allowed, 1 refused, 2 a password would be asked for).
set -e
rule=$1
user=locationd-timezone
. "$(dirname "$0")/polkit.sh"

ask() {
  pkcheck --action-id "org.freedesktop.timedate1.$3" --process "$2" >/dev/null 2>&1 \
    && echo "$1 $3: 0" || echo "$1 $3: $?"
}
for action in set-timezone set-time set-ntp; do ask locationd-timezone "$own" "$action"; done
ask another "$other" set-timezone
