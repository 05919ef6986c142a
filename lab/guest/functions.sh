# What commands in the guest may call, besides programs; bash. lab/README.md describes them. Exported, so that bash scripts have them too.

# gid_index DEVICE IPV4: the row of the GID table that has the address; nothing if none has.
gid_index() {
  local gid row value
  printf -v gid '0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x' ${2//./ }
  # The table has 1024 rows, and the first ones are used.
  for ((row = 0; row < 32; row++)); do
    read -r value <"/sys/class/infiniband/$1/ports/1/gids/$row" || continue
    if [[ $value == "$gid" ]]; then
      echo "$row"
      return
    fi
  done 2>/dev/null
}

# await SECONDS COMMAND...: until the command succeeds.
await() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    if ((SECONDS >= end)); then
      echo "await: still not: $*" >&2
      return 1
    fi
    sleep 0.1
  done
}

# Whether a process listens on the TCP port.
listens() {
  local hex
  printf -v hex '%04X' "$1"
  grep -qsE "^ *[0-9]+: [0-9A-F]+:$hex [0-9A-F]+:0000 0A" /proc/net/tcp /proc/net/tcp6
}

# await_port PORT [SECONDS]: until a process of this guest listens there. By looking, not by connecting, which would be a client to a pingpong.
await_port() {
  await "${2:-60}" listens "$1"
}

listens_by_cm() {
  rdma resource show cm_id 2>/dev/null | grep -q 'state LISTEN'
}

# await_cm [SECONDS]: until a process of this guest listens by rdma_cm.
await_cm() {
  await "${1:-60}" listens_by_cm
}

# The Ethernet devices at the ends of the wire that are in this guest.
wire_ends() {
  local end
  for end in eth0 eth1; do
    [[ ! -e /sys/class/net/$end ]] || echo "$end"
  done
}

# wire NETEM...: what goes onto the wire at its ends in this guest is treated as tc-netem(8) describes: wire loss 1% delay 2ms
# wire clear:    no more
# wire cut:      nothing passes any more, in silence, in either direction
# wire down:     the cable is unplugged at the ends that are in this guest: ports go down
# wire up:       and plugged in again
# wire:          shows the queues, with what they dropped
wire() {
  local end
  for end in $(wire_ends); do
    case ${1:-show} in
      show) tc -s qdisc show dev "$end" ;;
      clear)
        tc qdisc del dev "$end" root 2>/dev/null || true
        tc qdisc del dev "$end" ingress 2>/dev/null || true
        ;;
      cut)
        tc qdisc replace dev "$end" root netem loss 100%
        tc qdisc replace dev "$end" ingress
        tc filter replace dev "$end" parent ffff: pref 1 protocol all matchall action drop
        ;;
      down) ip link set "$end" down ;;
      up) ip link set "$end" up ;;
      # The limit is the queue's; with a delay, its default would drop.
      *) tc qdisc replace dev "$end" root netem limit 100000 "$@" ;;
    esac || return
  done
  [[ ${1:-} != up || $LAB_DEVICES != wire ]] || lab_cable
}

# The counters of all RDMA devices that are not zero: counters [NAME...]
counters() {
  local file name value device
  for file in /sys/class/infiniband/*/ports/1/hw_counters/*; do
    name=${file##*/}
    device=${file#/sys/class/infiniband/}
    [[ $# -eq 0 || " $* " == *" $name "* ]] || continue
    value=$(<"$file")
    [[ $value == 0 && $# -eq 0 || $name == lifespan ]] || echo "${device%%/*} $name $value"
  done
}

# How many of each kind of RDMA object exist in this guest, one line a device; the kernel's own, which each device has, count too.
resources() {
  rdma resource show
}

# on_peer COMMAND...: runs a command in the other guest of a pair, and prints what it printed; its exit status.
on_peer() {
  [[ $LAB_DEVICES == pair ]] || { echo "on_peer: this guest has no peer" >&2; return 2; }
  local peer=$((1 - GUEST)) ask=/run/lab/$((1 - GUEST))/ask.$BASHPID.$RANDOM
  printf '%q ' "$@" >"$ask.new"
  mv "$ask.new" "$ask"
  until [[ -e $ask.status ]]; do
    if [[ -e /run/lab/$peer/status ]]; then
      echo "on_peer: guest $peer has ended" >&2
      return 1
    fi
    sleep 0.1
  done
  cat "$ask.output"
  local status
  status=$(<"$ask.status")
  rm -f "$ask.output" "$ask.status"
  return "$status"
}

# The other side of on_peer, in the background as long as the guest runs. Polls, for one guest's changes of a folder are no events to the other.
answer_peer() {
  local ask name pause
  exec {pause}<> <(:)
  while :; do
    for ask in /run/lab/"$GUEST"/ask.*; do
      name=${ask##*/}
      [[ $name =~ ^ask\.[0-9]+\.[0-9]+$ && -e $ask ]] || continue
      mv "$ask" "$ask.taken"
      (
        code=0
        (cd "$LAB_DIRECTORY" && . "$ask.taken") >"$ask.output" 2>&1 || code=$?
        rm -f "$ask.taken"
        echo "$code" >"$ask.status.new"
        mv "$ask.status.new" "$ask.status"
      ) &
    done
    read -rt 0.2 -u "$pause" || true
  done
}

# power_off [STATUS]: ends the guest at once, without closing anything.
power_off() {
  echo "${1:-0}" >"/run/lab/$GUEST/status"
  # The emulator's exit, a port; else the kernel's way.
  printf '\1' | dd of=/dev/port bs=1 seek=244 conv=notrunc status=none
  echo o >/proc/sysrq-trigger
  while :; do read -rt 1; done
}

# Writes the RoCE packets that pass the first end of the wire into the job folder. What rxe delivers to itself passes none.
capture_start() {
  local file=$JOB/capture$GUEST.pcapng waited
  if [[ -r $(command -v dumpcap) ]]; then
    dumpcap -q -P -i eth0 -B 64 -f 'udp port 4791' -w "$file" >"$JOB/capture$GUEST.log" 2>&1 &
  elif command -v tcpdump >/dev/null; then
    tcpdump -U -Z root -i eth0 -B 65536 -w "$file" 'udp port 4791' >"$JOB/capture$GUEST.log" 2>&1 &
  else
    echo "lab: dumpcap is not readable, and there is no tcpdump; on the host: apt-get install tcpdump" >&2
    return 1
  fi
  capture_process=$!
  for ((waited = 0; waited < 300; waited++)); do
    [[ ! -s $file ]] || return 0
    sleep 0.05
  done
  cat "$JOB/capture$GUEST.log" >&2
  echo "lab: the capture did not begin" >&2
  return 1
}

# Fails if packets were lost on the way to the file.
capture_stop() {
  sleep 1
  kill -INT "$capture_process"
  wait "$capture_process"
  if grep -E 'dropped' "$JOB/capture$GUEST.log" | grep -qvE '/0 |^0 packets dropped'; then
    cat "$JOB/capture$GUEST.log" >&2
    echo "lab: the capture is incomplete" >&2
    return 1
  fi
}

export -f gid_index await listens await_port listens_by_cm await_cm wire_ends wire counters resources on_peer power_off
