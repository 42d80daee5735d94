#!/bin/sh
# Asks the real polkitd by a rule: polkit-rule.sh RULE-FILE, in namespaces of its own. A line each: who asks for
# which verb of which unit, and pkcheck's exit status (0 allowed, 1 refused, 2 a password would be asked for).
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cd "$folder"

# What is not there on each machine: the tracker's user, and a system manager that knows units.
{ cat /etc/passwd; echo 'locationd-tracker:x:4999:4999::/:/bin/false'; } >passwd
mkdir rules none
cp "$1" rules/
cat >systemctl <<'END'
#!/bin/sh
for unit; do :; done
case $unit in
lights@*) echo basic.target locationd-tracker.service system.slice ;;
late@*) sleep 60 ;;
*) echo basic.target system.slice ;;
esac
END
chmod -R a+rX . && chmod 755 systemctl
mkdir -p /etc/polkit-1/rules.d /usr/share/polkit-1/rules.d
mount --bind passwd /etc/passwd
mount --bind rules /usr/share/polkit-1/rules.d
mount --bind none /etc/polkit-1/rules.d
mount --bind systemctl /usr/bin/systemctl

cat >bus.conf <<END
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=$folder/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/><allow user="*"/></policy></busconfig>
END
dbus-daemon --config-file=bus.conf --fork 2>/dev/null
export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$folder/bus"
/usr/lib/polkit-1/polkitd --no-debug >/dev/null 2>&1 &
gdbus wait --system --timeout 30 org.freedesktop.PolicyKit1

setpriv --reuid=4999 --regid=4999 --clear-groups sleep 300 &
tracker=$!
setpriv --reuid=4998 --regid=4998 --clear-groups sleep 300 &
other=$!
ask() {
  pkcheck --action-id org.freedesktop.systemd1.manage-units --process "$1" \
    --detail verb "$2" --detail unit "$3" >/dev/null 2>&1 && echo "$2 $3: 0" || echo "$2 $3: $?"
}
for unit in lights@12.service other@12.service late@1.service lights@x.service ssh.service \
  'lights@12.service x'; do ask "$tracker" start "$unit"; done
for verb in stop restart set-property; do ask "$tracker" "$verb" lights@12.service; done
echo another user
ask "$other" start lights@12.service
