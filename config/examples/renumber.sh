#!/bin/sh
# Gives what locationd keeps of each user to the user of the same name on this machine, whose number may be another:
#   renumber.sh USERS DATABASE
# USERS is `getent passwd` of the machine that DATABASE comes from. Users who are not in it, or not here, are forgotten.
# locationd must not run meanwhile. See locationd-admin(7).
set -eu
[ $# = 2 ] || { echo 'usage: renumber.sh USERS DATABASE' >&2; exit 2; }
[ -s "$2" ] || { echo "renumber.sh: there is no $2" >&2; exit 1; }

moves=$(while IFS=: read -r name _ old _; do
  case $old in '' | *[!0-9]*) continue ;; esac
  new=$(id -u -- "$name" 2>/dev/null) || continue
  echo "$old $new"
done <"$1")
[ -n "$moves" ] || { echo "renumber.sh: $1 names no user of this machine" >&2; exit 1; }

{
  echo 'BEGIN;'
  for table in permission usage restriction record event last_event; do
    # Beyond every number first, so that users who change places do not meet.
    echo "$moves" | while read -r old new; do
      echo "UPDATE $table SET uid = $new + 4294967296 WHERE uid = $old;"
    done
    # A restriction of all users has -1.
    echo "DELETE FROM $table WHERE uid BETWEEN 0 AND 4294967295;"
    echo "UPDATE $table SET uid = uid - 4294967296 WHERE uid > 4294967295;"
  done
  echo 'COMMIT;'
} | sqlite3 -bail "$2"
