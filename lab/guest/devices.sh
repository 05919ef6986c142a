# How the guest gets its RDMA devices; bash, sourced by the agent. All are soft-RoCE (rxe) over an Ethernet device, never lo, where rdma_cm fails. MACs are
# given, so that GIDs are the same in each guest of a kind.

rdma_modules() {
  modprobe -a ib_uverbs rdma_ucm rdma_rxe "$@"
  # An address that still waits for duplicates has no GID yet.
  sysctl -qw net.ipv6.conf.default.accept_dad=0 net.ipv6.conf.all.accept_dad=0
}

# One device, whose packets never leave it: rxe delivers to itself what is for itself.
lab_single() {
  rdma_modules dummy
  ip link add eth0 type dummy
  ip link set eth0 address 02:00:c0:00:02:01
  lab_rxe rxe0 eth0 192.0.2.1
}

# The network card of a guest that has a peer on the wire.
lab_pair() {
  rdma_modules virtio_net
  lab_rxe rxe0 eth0 "192.0.2.$((GUEST + 1))"
}

# Two devices at the ends of a cable, of which both are in this guest.
lab_wire() {
  rdma_modules veth sch_netem sch_ingress cls_matchall act_gact
  ip link add eth0 type veth peer name eth1
  ip link set eth0 address 02:00:c0:00:02:01
  ip link set eth1 address 02:00:c0:00:02:02
  # The kernel would deliver between two addresses of its own by itself. So: the table of local addresses is asked last, except for what comes off
  # the cable, and before it tables that know only the cable.
  ip rule add pref 1000 lookup local
  ip rule add pref 10 iif eth0 lookup local
  ip rule add pref 10 iif eth1 lookup local
  ip rule add pref 20 from 192.0.2.1 to 192.0.2.2 lookup 101
  ip rule add pref 20 from 192.0.2.2 to 192.0.2.1 lookup 102
  ip rule del pref 0
  sysctl -qw net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.{eth0,eth1}.{rp_filter=0,accept_local=1}
  lab_rxe rxe0 eth0 192.0.2.1
  lab_rxe rxe1 eth1 192.0.2.2
  lab_cable
  # shellcheck disable=SC2086 # words of netem
  [[ -z $LAB_NETEM ]] || wire $LAB_NETEM
}

# What is lost when an end of the cable goes down.
lab_cable() {
  ip route replace 192.0.2.2 dev eth0 table 101
  ip route replace 192.0.2.1 dev eth1 table 102
  ip neigh replace 192.0.2.2 lladdr 02:00:c0:00:02:02 dev eth0 nud permanent
  ip neigh replace 192.0.2.1 lladdr 02:00:c0:00:02:01 dev eth1 nud permanent
}

# lab_rxe NAME NETDEV ADDRESS: the device NAME over the Ethernet device, once it has the GID of the address.
lab_rxe() {
  ip addr add "$3/24" dev "$2"
  ip link set "$2" mtu "$LAB_MTU" up
  rdma link add "$1" type rxe netdev "$2"
  local waited
  for ((waited = 0; waited < 100; waited++)); do
    [[ -z $(gid_index "$1" "$3") ]] || return 0
    sleep 0.05
  done
  echo "$1 has no GID for $3 after 5 s"
  return 1
}

# What commands find in their environment.
lab_variables() {
  case $LAB_DEVICES in
    none) return ;;
    pair) SELF=192.0.2.$((GUEST + 1)) PEER=192.0.2.$((2 - GUEST)) ;;
    wire) SELF=192.0.2.1 PEER=192.0.2.2 ;;
    *) SELF=192.0.2.1 PEER=192.0.2.1 ;;
  esac
  GID_INDEX=$(gid_index rxe0 "$SELF")
  export SELF PEER GID_INDEX
  if [[ $LAB_DEVICES == wire ]]; then
    GID_INDEX1=$(gid_index rxe1 "$PEER")
    export GID_INDEX1
  fi
}

# Called by wire, also in scripts.
export -f lab_cable
