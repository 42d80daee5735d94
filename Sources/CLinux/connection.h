// Connections within this machine, and its addresses.
#pragma once

#include <ifaddrs.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The socket at one end of a connection within this machine, as the kernel says.
struct linux_connection {
  // The user is unknown where the inode is 0: a socket that its program has closed is told as root's.
  uid_t uid;
  uint32_t inode;
  // The control group, of version 2, of the process that made it; 0 where the kernel does not say.
  uint64_t group;
};

struct linux_question {
  struct nlmsghdr head;
  struct inet_diag_req_v2 request;
};

static inline bool linux_ask_connection(int link, const struct linux_question *question,
                                        struct linux_connection *found) {
  // The kernel answers before send returns.
  char answer[4096] __attribute__((aligned(NLMSG_ALIGNTO)));
  if (send(link, question, sizeof *question, 0) < 0) return false;
  const ssize_t count = recv(link, answer, sizeof answer, MSG_DONTWAIT);
  const struct nlmsghdr *head = (const struct nlmsghdr *)answer;
  const ssize_t least = (ssize_t)NLMSG_LENGTH(sizeof(struct inet_diag_msg));
  if (count < least || head->nlmsg_type != SOCK_DIAG_BY_FAMILY || head->nlmsg_len > count) return false;
  const struct inet_diag_msg *message = (const struct inet_diag_msg *)NLMSG_DATA(head);
  const struct inet_diag_sockid *asked = &question->request.id;
  if (message->id.idiag_sport != asked->idiag_sport || message->id.idiag_dport != asked->idiag_dport) return false;
  found->uid = message->idiag_uid;
  found->inode = message->idiag_inode;
  found->group = 0;
  // Attributes follow: a length, a kind, the value, on a boundary of four bytes. This kind is newer than some headers.
  const int group_kind = 21;
  for (size_t at = (size_t)least; at + 4 <= head->nlmsg_len;) {
    uint16_t size, kind;
    memcpy(&size, answer + at, 2);
    memcpy(&kind, answer + at + 2, 2);
    if (size < 4 || at + size > head->nlmsg_len) break;
    if (kind == group_kind && size >= 12) memcpy(&found->group, answer + at + 4, 8);
    at += ((size_t)size + 3) & ~(size_t)3;
  }
  return true;
}

// The addresses are four bytes or sixteen, in the network's order. False where there is no such socket.
static inline bool linux_find_connection(bool is_wide, const void *host, uint16_t port, const void *peer_host,
                                         uint16_t peer_port, struct linux_connection *found) {
  struct linux_question question;
  memset(&question, 0, sizeof question);
  question.head.nlmsg_len = sizeof question;
  question.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.head.nlmsg_flags = NLM_F_REQUEST;
  question.request.sdiag_family = is_wide ? AF_INET6 : AF_INET;
  question.request.sdiag_protocol = IPPROTO_TCP;
  question.request.idiag_states = ~0U;
  question.request.id.idiag_sport = htons(port);
  question.request.id.idiag_dport = htons(peer_port);
  memcpy(question.request.id.idiag_src, host, is_wide ? 16 : 4);
  memcpy(question.request.id.idiag_dst, peer_host, is_wide ? 16 : 4);
  question.request.id.idiag_cookie[0] = INET_DIAG_NOCOOKIE;
  question.request.id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  int link = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (link < 0) return false;
  bool is_found = linux_ask_connection(link, &question, found);
  // A socket that is bound to an interface is found by that interface alone.
  struct if_nameindex *interfaces = is_found ? 0 : if_nameindex();
  for (const struct if_nameindex *one = interfaces; one && one->if_index && !is_found; one++) {
    question.request.id.idiag_if = one->if_index;
    is_found = linux_ask_connection(link, &question, found);
  }
  if (interfaces) if_freenameindex(interfaces);
  close(link);
  return is_found;
}

// An address of this machine, of four bytes or sixteen. True, too, where the kernel does not say.
static inline bool linux_has_address(bool is_wide, const void *host) {
  struct ifaddrs *all;
  if (getifaddrs(&all) != 0) return true;
  bool has = false;
  for (const struct ifaddrs *one = all; one && !has; one = one->ifa_next) {
    const struct sockaddr *address = one->ifa_addr;
    if (!address || address->sa_family != (is_wide ? AF_INET6 : AF_INET)) continue;
    has = is_wide ? memcmp(&((const struct sockaddr_in6 *)address)->sin6_addr, host, 16) == 0
                  : memcmp(&((const struct sockaddr_in *)address)->sin_addr, host, 4) == 0;
  }
  freeifaddrs(all);
  return has;
}
