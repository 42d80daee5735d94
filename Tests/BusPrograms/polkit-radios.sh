#!/bin/sh
# Asks the real polkitd by a rule: polkit-radios.sh RULE-FILE, in namespaces of its own. A line each: who asks for which
# action of NetworkManager's or ModemManager's, and pkcheck's exit status (0 allowed, 1 refused, 2 a password would be
# asked for).
set -e
rule=$1
user=locationd

# The actions as their packages have them, for programs beside any session.
policy() {
  manager=$1 any=$2
  shift 2
  echo '<?xml version="1.0"?><policyconfig>'
  for action; do
    echo "<action id=\"org.freedesktop.$manager.$action\"><description>a</description><message>a</message>"
    echo "<defaults><allow_any>$any</allow_any><allow_inactive>$any</allow_inactive>"
    echo '<allow_active>yes</allow_active></defaults></action>'
  done
  echo '</policyconfig>'
}
actions() {
  policy NetworkManager auth_admin wifi.scan network-control enable-disable-wifi >network.policy
  policy ModemManager1 no Device.Control Location Messaging Contacts >modem.policy
}
. "$(dirname "$0")/polkit.sh"

ask() {
  pkcheck --action-id "org.freedesktop.$3" --process "$2" >/dev/null 2>&1 && echo "$1 $3: 0" || echo "$1 $3: $?"
}
for action in NetworkManager.wifi.scan NetworkManager.network-control NetworkManager.enable-disable-wifi \
  ModemManager1.Device.Control ModemManager1.Location ModemManager1.Messaging ModemManager1.Contacts; do
  ask locationd "$own" "$action"
done
for action in NetworkManager.wifi.scan ModemManager1.Device.Control ModemManager1.Location; do
  ask another "$other" "$action"
done
