# fish completion for locationctl: its commands and their options, as its own help has them.
function __locationctl_verb
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; or begin
            echo $word
            return
        end
    end
end
complete -c locationctl -f
complete -c locationctl -n 'test (count (__locationctl_verb)) -eq 0' \
    -a "(locationctl help 2>/dev/null | string replace -rf '^  ([a-z]+)  +(.*)' '\$1\t\$2')"
complete -c locationctl -n 'test (count (__locationctl_verb)) -gt 0' \
    -a "(locationctl help (__locationctl_verb) 2>/dev/null | string match -ra -- '--[a-z-]+' | sort -u)"
complete -c locationctl -n 'string match -qr "^(decode|replay|map)\$" -- (__locationctl_verb)' -F
complete -c locationctl -n 'string match -q grant -- (__locationctl_verb)' -a 'when-in-use always once'
complete -c locationctl -n 'string match -q track -- (__locationctl_verb)' -a 'status list export stats forget flush retry drop test pause resume enrol'
complete -c locationctl -n 'string match -q places -- (__locationctl_verb)' -a 'status import update remove serve' -F
complete -c locationctl -n 'contains -- --avoid (commandline -opc)[-1]' -a 'tolls ferries motorways unpaved'
complete -c locationctl -n 'string match -q here -- (__locationctl_verb)' -a 'set status forget'
complete -c locationctl -n 'string match -q beacons -- (__locationctl_verb)' -a advertise
complete -c locationctl -n 'string match -q wifi -- (__locationctl_verb)' -a status
complete -c locationctl -n 'string match -q history -- (__locationctl_verb)' -a forget
complete -c locationctl -n 'string match -q timezone -- (__locationctl_verb)' -a 'follow status'
complete -c locationctl -n 'contains -- follow (commandline -opc)[-1]' -a 'on off status'
complete -c locationctl -n 'string match -qr "^(reverse|route)\$" -- (__locationctl_verb)' -a here
