#!/bin/sh
# Asks the real polkitd by a rule: polkit-rule.sh RULE-FILE, in namespaces of its own. A line each: who asks for
# which verb of which unit, and pkcheck's exit status (0 allowed, 1 refused, 2 a password would be asked for).
set -e
rule=$1
user=locationd-tracker
. "$(dirname "$0")/polkit.sh"

# A system manager that knows units.
cat >systemctl <<'END'
#!/bin/sh
for unit; do :; done
case $unit in
lights@*) echo basic.target locationd-tracker.service system.slice ;;
late@*) sleep 60 ;;
*) echo basic.target system.slice ;;
esac
END
chmod 755 systemctl
mount --bind systemctl /usr/bin/systemctl

ask() {
  pkcheck --action-id org.freedesktop.systemd1.manage-units --process "$1" \
    --detail verb "$2" --detail unit "$3" >/dev/null 2>&1 && echo "$2 $3: 0" || echo "$2 $3: $?"
}
for unit in lights@12.service other@12.service late@1.service lights@x.service ssh.service \
  'lights@12.service x'; do ask "$own" start "$unit"; done
for verb in stop restart set-property; do ask "$own" "$verb" lights@12.service; done
echo another user
ask "$other" start lights@12.service
